import { actions, catalogue } from '@assay/catalogue/catalogue'
import { type Action, type FieldData, formatFieldOf, type Tool } from '@assay/kit'

export interface Entry {
  tool: Tool
  action: Action
}

/** A command line that cannot be understood; the message says what would be. */
export class UsageError extends Error {}

/** Options that every command takes, by name. */
export const switches = {
  json: 'print the result as JSON',
  'exit-code': 'end with status 1 when a check fails',
  help: 'explain the tool and its fields',
} as const
export const outputOption = 'output'

/** One option of an action. */
export interface Option {
  name: string
  data: FieldData
  /** The byte field whose format it is. */
  formatOf?: string
}

/** The options of an action: its fields, and the format of each field of bytes. */
export function optionsOf({ fields }: Action): Option[] {
  return Object.entries(fields).flatMap(([name, data]): Option[] => {
    if (data.kind !== 'bytes') return [{ name, data }]
    const format: FieldData = {
      type: 'select',
      kind: 'choice',
      label: `Format of ${data.label}`,
      options: data.formats ?? [],
      default: data.format ?? 'UTF-8',
    }
    return [
      { name, data },
      { name: formatFieldOf(name), data: format, formatOf: name },
    ]
  })
}

/** `privateKey` and `input_text` are written --private-key and --input-text; every spelling of them is understood. */
export const optionName = (name: string): string =>
  `--${name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()}`
export const sameName = (a: string, b: string): boolean => bare(a) === bare(b)
const bare = (name: string) => name.replace(/[-_]/g, '').toLowerCase()

/** The field that a value without a name fills. */
export const firstField = ({ fields }: Action): string | undefined =>
  Object.keys(fields).find(name => !fields[name]?.secret)

/** The action whose address the words begin with, and what is left of them. */
export function findAction(words: readonly string[]): { entry: Entry; rest: readonly string[] } | undefined {
  for (let length = Math.min(words.length, 4); length > 0; length--) {
    const path = pathOf(words.slice(0, length))
    const entry = actions.find(({ action }) => action.path === path)
    if (entry) return { entry, rest: words.slice(length) }
  }
  return undefined
}

/** A tool of several actions whose address the words begin with. */
export function findTool(words: readonly string[]): Tool | undefined {
  for (let length = Math.min(words.length, 3); length > 0; length--) {
    const path = pathOf(words.slice(0, length))
    const tool = catalogue.find(tool => tool.path === path || tool.id === path)
    if (tool) return tool
  }
  return undefined
}

export const pathOf = (words: readonly string[]): string => words.join('/').replace(/^\/|\/$/g, '')
export const commandOf = ({ path }: Action): string => `assay ${path.replaceAll('/', ' ')}`

/** Actions whose name or words hold a word. */
export function searchActions(word: string): Entry[] {
  const wanted = word.toLowerCase()
  return actions.filter(({ tool, action }) =>
    [action.path, action.title, ...tool.keywords].some(text => text.toLowerCase().includes(wanted)),
  )
}
