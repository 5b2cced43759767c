import { shellWord } from '@assay/kit/terminal'
import { callOf, type Raw } from './api.ts'
import { formatName } from './link.ts'
import type { ActionModel, FieldModel, ToolModel } from './page.ts'

/** The same run as a request to the API, for a POSIX shell. A secret is left for the reader to fill in. */
export function curlCommand(tool: ToolModel, action: ActionModel, values: Raw, base: string): string {
  const secrets = new Set(action.fields.filter(({ secret }) => secret).map(({ name }) => name))
  const named = Object.entries(withoutDefaults(action, values)).map(([name, value]) => [
    name,
    secrets.has(name) ? `<${name}>` : value,
  ])
  const { method, path, body } = callOf(tool, action, Object.fromEntries(named))
  const address = shellWord(base + path)
  if (method === 'GET' || !body) return `curl ${address}`
  const parts = Object.values(body).some(value => value instanceof File)
    ? Object.entries(body).map(formPart)
    : ["-H 'Content-Type: application/json'", `-d ${shellWord(JSON.stringify(body))}`]
  return [`curl ${address}`, ...parts].join(' \\\n  ')
}

const formPart = ([name, value]: [string, string | File]) =>
  value instanceof File ? `-F ${shellWord(`${name}=@${value.name}`)}` : `--form-string ${shellWord(`${name}=${value}`)}`

/** The same run with the command-line program. A secret is read from a file, so that no history keeps it. */
export function assayCommand(action: ActionModel, values: Raw): string {
  const given = withoutDefaults(action, values)
  const first = action.fields.find(({ secret }) => !secret)?.name
  const words = action.fields.flatMap(field => {
    const format = given[formatName(field.name)]
    return [
      ...wordOf(field, given[field.name], first),
      ...(field.kind === 'bytes' && typeof format === 'string' ? [option(formatName(field.name), format)] : []),
    ]
  })
  return ['assay', ...action.path.split('/'), ...words].join(' ')
}

function wordOf(field: FieldModel, value: string | File | undefined, first: string | undefined): string[] {
  if (value === undefined) return []
  if (field.secret) return value === '' ? [] : [option(field.name, `@${field.name}.txt`)]
  if (value instanceof File) return [option(field.name, value.name)]
  // A leading - or @ means something to the program.
  if (field.name === first && !/^[-@]/.test(value)) return [shellWord(value)]
  return [option(field.name, value.replace(/^@/, '@@'))]
}

/** `privateKey` and `input_text` are written --private-key and --input-text. */
const option = (name: string, value: string) =>
  `--${name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()}=${shellWord(value)}`

/** What an address takes when nothing is said need not be said. */
function withoutDefaults(action: ActionModel, values: Raw): Raw {
  const presets = new Map(
    action.fields.flatMap(({ name, default: preset, format, optional }) => [
      [name, preset === undefined ? (optional ? '' : undefined) : String(preset)] as const,
      [formatName(name), format] as const,
    ]),
  )
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== presets.get(name)))
}
