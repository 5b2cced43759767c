import type { Raw } from './api.ts'
import { formatName } from './link.ts'
import type { ActionModel, FieldModel, ToolModel } from './page.ts'
import { isShown } from './shown.ts'

export type FormValues = Readonly<Record<string, string | File>>

/** The values a form opens with. */
export function initialValues(tool: ToolModel, action: ActionModel): Record<string, string | File> {
  const values: Record<string, string | File> = {}
  for (const { name, kind, format, default: preset } of action.fields) {
    values[name] = name === tool.preset?.field ? tool.preset.value : String(preset ?? '')
    if (kind === 'bytes') values[formatName(name)] = format ?? ''
  }
  return values
}

export const shownFields = (action: ActionModel, values: FormValues): FieldModel[] =>
  action.fields.filter(field => isShown(action.fields, values, field))

/** The values that are sent: of the fields that are shown, with their formats. Only lookups trim what was typed. */
export function rawOf(tool: ToolModel, action: ActionModel, values: FormValues): Raw {
  const raw: Record<string, string | File> = {}
  for (const field of shownFields(action, values)) {
    const value = values[field.name] ?? ''
    if (field.kind === 'file' && value === '') continue
    raw[field.name] = tool.runs === 'server' && typeof value === 'string' ? value.trim() : value
    const format = values[formatName(field.name)]
    if (field.kind === 'bytes' && format) raw[formatName(field.name)] = format
  }
  return raw
}

/** The values without the files, which have no place in an address. */
export const texts = (values: FormValues): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : '']))

/** An example as the form holds it: the text for a file field becomes a file. */
export function exampleValues(
  tool: ToolModel,
  action: ActionModel,
  given: Readonly<Record<string, string>>,
): FormValues {
  const files = new Set(action.fields.filter(({ kind }) => kind === 'file').map(({ name }) => name))
  const filled = Object.entries(given).map(([name, text]) => [
    name,
    files.has(name) ? new File([text], 'example.txt') : text,
  ])
  return { ...initialValues(tool, action), ...Object.fromEntries(filled) }
}

/**
 * The form of the other direction: what both have in common, then what the result says of its fields (a fresh IV, the
 * mode), then the result as its input. A byte field takes the format that the result is written in.
 */
export function swappedValues(
  tool: ToolModel,
  { from, to }: { from: ActionModel; to: ActionModel },
  values: FormValues,
  result: unknown,
): FormValues {
  const next = initialValues(tool, to)
  for (const name of Object.keys(next)) {
    const value = values[name]
    if (value !== undefined && value !== '') next[name] = value
  }
  const { swap } = from
  if (swap?.to !== to.name || typeof result !== 'object' || result === null) return next
  const told = new Map<string, unknown>(Object.entries(result))
  const format = String(told.get('output_format') ?? values.output_format ?? '')
  for (const { name, kind, formats } of to.fields) {
    const value = told.get(name === swap.into ? swap.from : name)
    if (value === undefined || value === null || typeof value === 'object' || kind === 'file') continue
    if (name !== swap.into && name === 'output_format') continue
    next[name] = String(value)
    if (formats?.some(known => known === format)) next[formatName(name)] = format
  }
  return next
}
