import type { ActionModel, FieldModel, ToolModel } from './page.ts'

export type Values = Readonly<Record<string, string>>

/** Longer values are left out of addresses: servers and messengers cut them. */
const LONGEST_VALUE = 2000

/** The field that `?q=` fills, and that a pasted value goes to: the first that takes a text at all. */
export const mainField = (fields: readonly FieldModel[]): FieldModel | undefined =>
  fields.find(
    ({ kind }) => kind === 'domain' || kind === 'ip' || kind === 'host' || kind === 'holding' || kind === 'url',
  ) ?? fields.find(({ kind, secret }) => !secret && (kind === 'text' || kind === 'bytes'))

/** A field whose value may stand in an address at all. */
const isSharable = ({ kind, secret }: FieldModel) => !secret && kind !== 'file'

/** A setting rather than something typed: it says nothing of the visitor. */
const isSetting = ({ kind }: FieldModel) => kind === 'choice' || kind === 'flag' || kind === 'number'

/** The name under which the form keeps the format of a byte field. */
export const formatName = (name: string): string => `${name.replace(/_text$/, '')}_format`

/** The values that an address holds: of its query, and of its fragment, which is never sent. */
export function readLink(fields: readonly FieldModel[], search: string, hash: string): Record<string, string> {
  const given = new Map([...new URLSearchParams(search), ...new URLSearchParams(hash.replace(/^#/, ''))])
  const values: Record<string, string> = {}
  const main = mainField(fields)
  const q = given.get('q')
  if (main && q !== undefined) values[main.name] = q
  for (const field of fields.filter(isSharable)) {
    for (const name of field.kind === 'bytes' ? [field.name, formatName(field.name)] : [field.name]) {
      const value = given.get(name)
      if (value !== undefined) values[name] = value
    }
  }
  return values
}

/**
 * The address of this page with these values. Settings go into the query. So does what was typed when the tool is a
 * lookup, whose input the server sees anyway; for a tool that runs in the browser it goes into the fragment, which
 * stays there, and only when `typed` is asked for.
 */
export function writeLink(tool: ToolModel, action: ActionModel, values: Values, typed: boolean): string {
  const query = new URLSearchParams()
  const fragment = new URLSearchParams()
  for (const field of action.fields.filter(isSharable)) {
    const value = values[field.name] ?? ''
    if (field.name === tool.preset?.field || value === String(field.default ?? '')) continue
    if (value.length > LONGEST_VALUE) continue
    if (isSetting(field) || tool.runs === 'server') query.set(field.name, value)
    else if (typed) fragment.set(field.name, value)
    const format = values[formatName(field.name)]
    if (field.kind === 'bytes' && format && format !== field.format) query.set(formatName(field.name), format)
  }
  const search = query.size ? `?${query}` : ''
  return `${search}${fragment.size ? `#${fragment}` : ''}`
}
