import { sh, shellWord, raw as syntax } from '@assay/kit/terminal'
import { callOf, type Raw } from './api.ts'
import { formatName } from './link.ts'
import type { ActionModel, FieldModel, ToolModel } from './page.ts'

/** The same run as a request to the API, for a POSIX shell. Secrets are named, not shown. */
export function curlCommand(tool: ToolModel, action: ActionModel, values: Raw, origin: string): string {
  const { method, path, body } = callOf(tool, action, withoutDefaults(action, withoutSecrets(action, values)))
  const address = origin + path
  if (method === 'GET' || !body) return sh`curl ${address}`
  if (Object.values(body).some(value => value instanceof File)) {
    const parts = Object.entries(body).map(([name, value]) =>
      value instanceof File ? sh`-F ${`${name}=@${value.name}`}` : sh`--form-string ${`${name}=${value}`}`,
    )
    return [`curl ${shellWord(address)}`, ...parts].join(' \\\n  ')
  }
  return [
    `curl ${shellWord(address)}`,
    "-H 'Content-Type: application/json'",
    `-d ${shellWord(JSON.stringify(body))}`,
  ].join(' \\\n  ')
}

/** The same run with the command-line program: one option for each value that is not the default. */
export function assayCommand(tool: ToolModel, action: ActionModel, values: Raw): string {
  const given = withoutSecrets(action, values)
  const options = action.fields.flatMap(field => [
    ...optionOf(field.name, given, String(field.default ?? '')),
    ...formatOption(field, given),
  ])
  return ['assay', tool.id, action.name, ...options].filter(Boolean).join(' ')
}

function optionOf(name: string, given: Raw, preset: string): string[] {
  const value = given[name]
  if (value === undefined || value === preset) return []
  const option = syntax(`--${name.replaceAll('_', '-')}`)
  return [value instanceof File ? sh`${option} ${value.name}` : sh`${option} ${value}`]
}

const formatOption = (field: FieldModel, given: Raw) =>
  field.kind === 'bytes' ? optionOf(formatName(field.name), given, field.format ?? '') : []

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

function withoutSecrets(action: ActionModel, values: Raw): Raw {
  const secrets = new Set(action.fields.filter(({ secret }) => secret).map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, secrets.has(name) && value ? `<${name}>` : value]),
  )
}
