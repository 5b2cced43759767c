import { type Action, inputSchema, type JsonSchema, type ProblemCode, type Tool } from '@assay/kit'
import { type Entry, fieldOf, lookupsOf } from './addresses.ts'
import type { Form } from './inbox.ts'
import type { Limits } from './limits.ts'
import { accountDocument, toolSecurity } from './openapi-accounts.ts'
import { DETAILED } from './tools.ts'

/** Where the API is and what it is called. */
export interface About {
  brand: string
  base: string | undefined
  contact: string | undefined
}

export interface Documented {
  entries: readonly Entry[]
  forms: readonly Form[]
  about: About
  limits: Limits
  /** Whether there are accounts. */
  hasAccounts: boolean
}

/** The OpenAPI 3.1 document of all tools, forms and accounts. https://spec.openapis.org/oas/v3.1.1 */
export function openApi({
  entries,
  forms,
  about: { brand, base, contact },
  limits,
  hasAccounts,
}: Documented): JsonSchema {
  const accounts = hasAccounts ? accountDocument(limits) : undefined
  const paths: Record<string, JsonSchema> = {}
  const add = (path: string, method: string, operation: JsonSchema) => {
    paths[path] = { ...paths[path], [method]: operation }
  }
  for (const { tool, action } of entries) add(`/api/${action.path}/`, 'post', postOperation(tool, action))
  for (const lookup of lookupsOf(entries)) {
    add(`/api/${lookup.template}/`, 'get', getOperation(lookup.tool, lookup.action, lookup.fields, lookup.template))
  }
  for (const form of forms) add(form.url, 'post', formOperation(form))
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand} API`,
      version: '1',
      description: `Every tool of the site. Results are plain JSON; failures are an error, a code, and where it helps the field and a detail. ${limitWords(limits)}`,
      license: { name: 'MIT', identifier: 'MIT' },
      ...(contact && { contact: { email: contact } }),
    },
    servers: [{ url: base ?? '/' }],
    ...(accounts && { security: toolSecurity }),
    paths: { ...paths, ...accounts?.paths },
    components: {
      schemas: { Error: errorSchema, Detailed: detailedSchema, ...accounts?.schemas },
      responses: { Error: errorResponse },
      ...(accounts && { securitySchemes: accounts.securitySchemes }),
    },
  }
}

const limitWords = (limits: Limits) =>
  `A minute holds ${limits.lookupsPerMinute} lookups, ${limits.scansPerMinute} scans and crackers, and ${limits.lightPerMinute} runs of everything else for each client. A run has ${limits.workMs / 1000} seconds, a lookup ${limits.lookupMs / 1000}, a scan ${limits.scanMs / 1000}; a file at most ${limits.uploadBytes / 1_048_576} MiB.`

function postOperation(tool: Tool, action: Action): JsonSchema {
  const schema = inputSchema(action.fields)
  const hasFile = Object.values(action.fields).some(({ kind }) => kind === 'file')
  const example = action.examples[0]?.input
  return {
    ...described(tool, action),
    operationId: `post_${operationName(action.path)}`,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema, ...(example && { example }) },
        ...(hasFile && { 'multipart/form-data': { schema } }),
      },
    },
    responses: responses(action),
  }
}

function getOperation(tool: Tool, action: Action, inPath: readonly string[], template: string): JsonSchema {
  const schema = inputSchema(action.fields)
  const properties = schema.properties as Record<string, JsonSchema>
  const parameters = Object.entries(properties)
    .filter(([name]) => inPath.includes(name) || !fieldOf(action, name)?.secret)
    .map(([name, { title, ...property }]) => ({
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: inPath.includes(name),
      description: title,
      schema: property,
    }))
  return {
    ...described(tool, action),
    operationId: `get_${operationName(template)}`,
    parameters,
    responses: responses(action),
  }
}

const formOperation = ({ url, summary, schema, thanks }: Form): JsonSchema => ({
  tags: ['forms'],
  summary,
  operationId: `post_${operationName(url.replace('/api/', ''))}`,
  requestBody: { required: true, content: { 'application/json': { schema } } },
  responses: {
    200: {
      description: 'It is kept, and on its way.',
      content: {
        'application/json': {
          schema: { type: 'object', properties: { message: { type: 'string' } } },
          example: { message: thanks },
        },
      },
    },
    default: { $ref: '#/components/responses/Error' },
  },
})

const described = (tool: Tool, action: Action): JsonSchema => ({
  tags: [tool.category],
  summary: action.title,
  description: [action.summary, tool.caution].filter(Boolean).join(' '),
  ...(tool.caution && { 'x-caution': tool.caution }),
})

const operationName = (path: string) => path.replace(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '')

function responses(action: Action): JsonSchema {
  const result = action.examples[0]?.result
  return {
    200: {
      description: 'The result.',
      content: {
        'application/json': { schema: { type: 'object' }, ...(result && { example: result }) },
        [DETAILED]: { schema: { $ref: '#/components/schemas/Detailed' } },
        'text/event-stream': { schema: { type: 'string', description: 'Events progress, partial, result and error.' } },
      },
    },
    default: { $ref: '#/components/responses/Error' },
  }
}

const codes: readonly ProblemCode[] = [
  'invalid-input',
  'not-found',
  'refused',
  'unreachable',
  'timeout',
  'limited',
  'unsupported',
  'busy',
]

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'A sentence for people. It never repeats the input.' },
    code: { type: 'string', examples: codes },
    field: { type: 'string', description: 'The field to look at.' },
    detail: { type: 'string', description: 'The exact reason, or what to do next.' },
    request: { type: 'string', description: 'With status 500: what to quote when asking about it.' },
  },
}

const errorResponse: JsonSchema = {
  description: 'Why there is no result.',
  headers: { 'Retry-After': { description: 'Seconds, with status 429 and 503.', schema: { type: 'integer' } } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

const detailedSchema: JsonSchema = {
  type: 'object',
  required: ['result', 'panels', 'ms'],
  properties: {
    result: { type: 'object' },
    panels: { type: 'array', items: { type: 'object' }, description: 'How the page shows it.' },
    terminal: {
      type: 'object',
      description: 'The command that does the same.',
      properties: { command: { type: 'string' }, prints: { type: 'string' } },
    },
    ms: { type: 'integer' },
  },
}
