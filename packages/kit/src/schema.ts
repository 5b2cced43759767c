import { type FieldData, type Fields, formatFieldOf, MAX_SERVER_TEXT_LENGTH } from './field.ts'

export type JsonSchema = { [key: string]: unknown }

/** The JSON Schema (2020-12) of what an action takes, for OpenAPI and MCP. */
export function inputSchema(fields: Fields): JsonSchema {
  const properties: JsonSchema = {}
  const required: string[] = []
  for (const [name, data] of Object.entries(fields)) {
    properties[name] = property(data)
    if (data.kind === 'bytes') properties[formatFieldOf(name)] = formatProperty(data)
    if (isRequired(data)) required.push(name)
  }
  return { type: 'object', properties, ...(required.length && { required }), additionalProperties: false }
}

/** A field nobody can leave out: nothing to fall back on, not optional, and empty has no meaning. */
export const isRequired = (data: FieldData): boolean =>
  !data.optional && data.default === undefined && !data.dependsOn && !['text', 'bytes'].includes(data.kind)

function property(data: FieldData): JsonSchema {
  const about = { title: data.label, ...(data.help && { description: data.help }) }
  const fallback = data.default === undefined ? {} : { default: data.default }
  switch (data.kind) {
    case 'number':
      return {
        type: data.step && data.step < 1 ? 'number' : 'integer',
        minimum: data.min,
        maximum: data.max,
        ...about,
        ...fallback,
      }
    case 'choice':
    case 'flag':
      return { type: 'string', enum: data.options, ...about, ...fallback }
    case 'file':
      return { type: 'string', format: 'binary', ...about }
    default:
      return {
        type: 'string',
        maxLength: data.maxLength ?? MAX_SERVER_TEXT_LENGTH,
        ...about,
        ...fallback,
        ...(data.placeholder && { examples: [data.placeholder] }),
        ...(data.secret && { writeOnly: true }),
      }
  }
}

const formatProperty = ({ label, format, formats }: FieldData): JsonSchema => ({
  type: 'string',
  enum: formats,
  default: format,
  title: `Format of ${label}`,
})
