import { filledCategories, toolsOf } from '@assay/catalogue/catalogue'
import { type FieldData, shellWord, type Tool } from '@assay/kit'
import { bold, dim, padded, type Screen, width } from './screen.ts'
import { commandOf, type Entry, firstField, optionName, optionsOf, switches } from './words.ts'

/** What `assay` says of itself: all tools, by category. */
export function overview(screen: Screen): string {
  const groups = filledCategories.map(({ slug, title }) => {
    const rows = toolsOf(slug).flatMap(tool => tool.actions.map(action => ({ tool, action })))
    return `${bold(screen, title)}\n${listing(rows, screen)}`
  })
  return [
    `${bold(screen, 'assay')} <tool> [value] [--field value …]`,
    'A value may be - for standard input or @name for a file; what follows -- is taken as it stands.',
    ...groups,
    'assay <tool> --help explains a tool, assay list <word> finds one, assay completion bash|zsh helps to type.',
  ].join('\n\n')
}

/** Commands with what they are, one a line. */
export function listing(entries: readonly Entry[], screen: Screen): string {
  const names = entries.map(({ action }) => action.path.replaceAll('/', ' '))
  const column = Math.max(0, ...names.map(width))
  return entries
    .map(({ action }, index) => `  ${padded(names[index] ?? '', column)}  ${dim(screen, action.summary)}`)
    .join('\n')
}

export const actionsOf = (tool: Tool, screen: Screen): string =>
  listing(
    tool.actions.map(action => ({ tool, action })),
    screen,
  )

/** All about one command. */
export function helpOf({ tool, action }: Entry, screen: Screen): string {
  const first = firstField(action)
  const options = optionsOf(action)
  const names = options.map(({ name }) => optionName(name))
  const general = Object.entries({ ...switches, output: 'save the picture or file of the result under this name' })
  const column = Math.max(...names.map(width), ...general.map(([name]) => width(name) + 2))
  const rows = options.map(
    ({ data, name }, index) =>
      `  ${padded(names[index] ?? '', column)}  ${data.label}${name === first ? ', or the value without a name' : ''}${dim(screen, about(data))}`,
  )
  const examples = action.examples.map(
    ({ from, input }) => `  ${exampleOf(action, input)}  ${dim(screen, `# ${from}`)}`,
  )
  return [
    `${bold(screen, commandOf(action))}${first ? ` [${first}]` : ''} [--field value …]`,
    [action.summary, tool.caution].filter(Boolean).join('\n'),
    rows.length > 0 ? `${bold(screen, 'Fields')}\n${rows.join('\n')}` : '',
    `${bold(screen, 'Options')}\n${general.map(([name, text]) => `  ${padded(`--${name}`, column)}  ${text}`).join('\n')}`,
    examples.length > 0 ? `${bold(screen, 'Examples')}\n${examples.join('\n')}` : '',
    tool.specs.length > 0 ? `${bold(screen, 'Documents')}\n  ${tool.specs.join(', ')}` : '',
  ]
    .filter(Boolean)
    .join('\n\n')
}

function about({
  kind,
  options,
  min,
  max,
  unit,
  default: preset,
  secret,
  optional,
  dependsOn,
  help,
}: FieldData): string {
  const parts = [
    kind === 'choice' || kind === 'flag' ? (options ?? []).join(', ') : undefined,
    kind === 'number' ? `${min} to ${max}${unit ? ` ${unit}` : ''}` : undefined,
    kind === 'file' ? 'name of a file' : undefined,
    preset === undefined || preset === '' ? undefined : `default ${preset}`,
    secret ? 'secret, better given as @file or when asked' : undefined,
    optional ? 'optional' : undefined,
    dependsOn ? `with ${optionName(dependsOn.field)} ${dependsOn.values.join(' or ')}` : undefined,
    help,
  ].filter(Boolean)
  return parts.length > 0 ? `  ${parts.join('; ')}` : ''
}

/** A command line that gives this input. */
export function exampleOf(action: Entry['action'], input: Readonly<Record<string, unknown>>): string {
  const first = firstField(action)
  const words = Object.entries(input).map(([name, value]) => {
    const text = String(value)
    const harmless = !/^[-@]/.test(text)
    if (name === first && harmless) return shellWord(text)
    return `${optionName(name)}=${shellWord(text.replace(/^@/, '@@'))}`
  })
  return [commandOf(action), ...words].join(' ')
}
