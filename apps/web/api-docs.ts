import { actions } from '@assay/catalogue/catalogue'
import {
  type Action,
  categories,
  type FieldData,
  formatFieldOf,
  shellWord,
  type Tool,
  title as titleOf,
} from '@assay/kit'
import type { Settings } from './settings.ts'
import type { ApiOperation, Page } from './src/page.ts'
import { webPage } from './structured.ts'

/** The API explained on one page, made from the same definitions that answer. */
export function apiPage(settings: Settings): Page {
  const description = `Every tool of ${settings.brand} as an HTTP address: JSON in, JSON out, no key needed.`
  const groups = categories
    .map(({ slug, title }) => ({
      slug,
      title,
      operations: actions.filter(({ tool }) => tool.category === slug).map(operationOf),
    }))
    .filter(({ operations }) => operations.length)
  return {
    kind: 'api',
    base: settings.base,
    groups,
    head: {
      title: `API | ${settings.brand}`,
      description,
      path: '/api/docs/',
      structured: [webPage(settings, 'API', description, '/api/docs/')],
    },
  }
}

function operationOf({ tool, action }: { tool: Tool; action: Action }): ApiOperation {
  const [example] = action.examples
  return {
    anchor: action.path.replaceAll('/', '-'),
    title: action.title,
    summary: action.summary,
    addresses: [`POST /api/${action.path}/`, ...lookupsOf(tool, action).map(template => `GET /api/${template}/`)],
    fields: Object.entries(action.fields).map(([name, data]) => ({
      name,
      about: aboutField(data),
      values: valuesOf(name, data),
    })),
    ...(example && {
      call: `/api/${action.path}/ -H 'Content-Type: application/json' \\\n  -d ${shellWord(JSON.stringify(example.input))}`,
      answer: { from: example.from, text: JSON.stringify(example.result, null, 2) },
    }),
  }
}

/** The GET addresses whose fields this action has. */
const lookupsOf = ({ lookups = [] }: Tool, { fields }: Action) =>
  lookups.filter(template => [...template.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => name in fields))

const aboutField = ({ label, secret, optional, help }: FieldData) =>
  `${label}${secret ? ', secret' : ''}${optional ? ', optional' : ''}${help ? `. ${help}` : ''}`

function valuesOf(name: string, data: FieldData): string {
  const preset = data.default === undefined || data.default === '' ? '' : `; default ${data.default}`
  const depends = data.dependsOn ? `; only with ${data.dependsOn.field} ${data.dependsOn.values.join(' or ')}` : ''
  return `${plainValues(name, data)}${preset}${depends}`
}

function plainValues(
  name: string,
  { kind, options = [], formats = [], min, max, unit, placeholder }: FieldData,
): string {
  switch (kind) {
    case 'choice':
    case 'flag':
      return options.join(', ')
    case 'number':
      return `${min} to ${max}${unit ? ` ${unit}` : ''}`
    case 'bytes':
      return `text in ${formatFieldOf(name)}: ${formats.join(', ')}`
    case 'file':
      return 'a file'
    default:
      return placeholder ? `such as ${placeholder}` : titleOf(kind).toLowerCase()
  }
}
