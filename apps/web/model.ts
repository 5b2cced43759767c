import { existsSync, readFileSync } from 'node:fs'
import { catalogue, filledCategories, toolsOf } from '@assay/catalogue/catalogue'
import { type Action, categories, formatFieldOf, formFields, specLink, type Tool } from '@assay/kit'
import { type Bundle, type Topic, viewOf } from './bundle.ts'
import type { Settings } from './settings.ts'
import type { ActionModel, Card, Category, Link, Page, ToolModel, ToolPage, ViewFacts, Wording } from './src/page.ts'
import { parseProse } from './src/prose.ts'
import { breadcrumbs, softwareApplication } from './structured.ts'

const content = new URL('../../content/', import.meta.url)

export interface Sources {
  settings: Settings
  bundle: Bundle
  topics: ReadonlyMap<string, Topic>
  views: Readonly<Record<string, ViewFacts>>
}

/** Where the first page of a tool is. */
export const hrefOf = (tool: Tool, action: Action | undefined = tool.actions[0]): string =>
  `/${tool.category}/${action?.path ?? tool.path}/`

const cardOf = (tool: Tool): Card => ({ title: tool.title, href: hrefOf(tool), summary: tool.summary })

/** The categories that have tools, with a card for each tool. */
export const categoryCards = (): Category[] =>
  filledCategories.map(({ slug, title, summary }) => ({
    slug,
    title,
    summary,
    href: `/${slug}/`,
    tools: toolsOf(slug).map(cardOf),
  }))

/** Every page of one tool: each action, each preset, and for lookups the address below /tools/. */
export function toolPages(tool: Tool, sources: Sources): Page[] {
  const model = toolModel(tool, sources)
  const shared = { kind: 'tool' as const, related: related(tool), prose: prose(tool.id), specs: specs(tool) }
  const pages = tool.actions.map((action, current): Page => {
    const own: ToolPage = { ...shared, tool: { ...model, current } }
    return { ...own, head: head(tool, action, hrefOf(tool, action), sources.settings) }
  })
  for (const page of presetPages(tool, model, sources.settings)) pages.push({ ...shared, ...page })
  const first = pages[0]
  if (first && (tool.runs === 'server' || lookupCategories.has(tool.category))) {
    pages.push({ ...first, head: { ...first.head, path: `/tools/${tool.path}/`, canonical: hrefOf(tool) } })
  }
  return pages
}

/** Categories whose tools also answer below /tools/ (OPEN-011, OPEN-031). */
const lookupCategories: ReadonlySet<string> = new Set(['dns-tools', 'network-tools'])

function presetPages(tool: Tool, model: ToolModel, settings: Settings) {
  const { variants, actions } = tool
  const [action] = actions
  if (!variants || !action) return []
  return variants.values.map(value => {
    const title = variants.title(value)
    const href = `${hrefOf(tool)}${value.toLowerCase()}/`
    const [own] = model.actions
    const preset = { field: variants.field, value }
    const page: ToolModel = own ? { ...model, preset, actions: [{ ...own, title, href }] } : model
    return { tool: page, head: head(tool, { ...action, title }, href, settings) }
  })
}

function head(tool: Tool, action: Action, path: string, settings: Settings): Page['head'] {
  const category = categories.find(({ slug }) => slug === tool.category)
  const description = tool.caution ? `${action.summary} ${tool.caution}` : action.summary
  return {
    title: `${action.title} | ${settings.brand}`,
    description,
    path,
    ...(tool.ogImage && { image: tool.ogImage }),
    structured: [
      softwareApplication(settings, action.title, description, path),
      breadcrumbs(settings, [
        { title: category?.title ?? tool.category, href: `/${tool.category}/` },
        { title: action.title, href: path },
      ]),
    ],
  }
}

function toolModel(tool: Tool, { settings, bundle, topics, views }: Sources): ToolModel {
  const topic = topics.get(tool.id)
  const chunk = bundle.chunks.get(tool.id)
  if (!topic || !chunk) throw new Error(`${tool.id} was not built`)
  const view = viewOf(tool.id, topic)
  const category = categories.find(({ slug }) => slug === tool.category)
  return {
    id: tool.id,
    title: tool.title,
    category: { title: category?.title ?? tool.category, href: `/${tool.category}/` },
    runs: tool.runs,
    words: { ...standardWording(tool), ...(view && views[view]?.wording) },
    ...(tool.caution && { caution: tool.caution }),
    lookups: tool.lookups ?? [],
    vectors: tool.actions.reduce((sum, { examples }) => sum + examples.length, 0),
    actions: tool.actions.map(action => actionModel(tool, action, settings)),
    current: 0,
    variants: variantLinks(tool),
    chunk: chunk.file,
    worker: bundle.worker.file,
    ...(view && { view, ...(views[view]?.here && { here: true }) }),
  }
}

function actionModel(tool: Tool, action: Action, settings: Settings): ActionModel {
  const { name, label, path, title, summary, swap, examples } = action
  return {
    name,
    label,
    path,
    href: hrefOf(tool, action),
    title,
    summary,
    documentTitle: `${title} | ${settings.brand}`,
    fields: formFields(action.fields),
    ...(swap && { swap }),
    examples: examples.map(example => ({
      title: example.title ?? example.from,
      input: exampleInput(action, example.input),
    })),
  }
}

/** The values of an example as the form holds them: strings, switches as yes and no. */
function exampleInput(action: Action, input: Readonly<Record<string, unknown>>): Record<string, string> {
  const known = new Set(Object.keys(action.fields).flatMap(name => [name, formatFieldOf(name)]))
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => known.has(name) && value !== undefined && value !== null)
      .map(([name, value]) => [name, typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)]),
  )
}

/** The words of a page by what its tool is: a lookup asks the network, the rest runs where the visitor is. */
function standardWording({ runs, button }: Tool): Wording {
  const lookup = runs === 'server'
  const [idle, busy] = button ?? (lookup ? ['Analyze', 'Analyzing...'] : ['Run Tool', 'Running...'])
  return {
    idle,
    busy,
    errors: lookup ? 'titled' : 'box',
    loading: busy,
    missing: 'Please enter a value.',
    mismatch: "Input doesn't match required format: ",
    failed: '',
    offline: '',
    unexpected: '',
    alwaysEnabled: !lookup,
  }
}

function variantLinks(tool: Tool): Link[] {
  const { variants } = tool
  if (!variants) return []
  const base = hrefOf(tool)
  return [
    { title: 'All', href: base },
    ...variants.values.map(value => ({ title: value.toUpperCase(), href: `${base}${value.toLowerCase()}/` })),
  ]
}

/** The other tools of the category in two halves, in page order, the left one larger when they are odd. */
function related(tool: Tool): ToolPage['related'] {
  const others = toolsOf(tool.category).filter(other => other !== tool)
  const links = others.map(other => ({ title: other.title, href: hrefOf(other) }))
  const half = Math.ceil(links.length / 2)
  return { left: links.slice(0, half), right: links.slice(half) }
}

function prose(id: string) {
  const file = new URL(`tools/${id}.md`, content)
  return existsSync(file) ? parseProse(readFileSync(file, 'utf8')) : []
}

const specs = (tool: Tool) => tool.specs.map(name => ({ name, href: specLink(name) }))

/** How many tools there are. */
export const toolCount = catalogue.length
