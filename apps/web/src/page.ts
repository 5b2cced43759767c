import type { FieldData } from '@assay/kit'
import type { Block } from './prose.ts'

/** A page as data: everything its markup is made of. Built from the catalogue, which has functions, at build time. */
export type Page = { head: Head } & (
  | { kind: 'home'; categories: readonly Category[]; count: number }
  | { kind: 'category'; category: Category }
  | { kind: 'index'; categories: readonly Category[]; count: number }
  | ToolPage
  | TextPage
  | { kind: 'careers'; positions: Readonly<Record<string, Position>>; form: ApplicationModel }
  | {
      kind: 'api'
      base: string
      groups: readonly { slug: string; title: string; operations: readonly ApiOperation[] }[]
    }
  | { kind: 'auth' | 'profile'; account: AccountModel }
  | { kind: 'return' }
  | NotFound
)

export interface TextPage {
  kind: 'text'
  title: string
  blocks: readonly Block[]
  /** Where it stands in the text, a form to write to us, and the address for whoever cannot use it. */
  contact?: string | undefined
}

/** One address of the API as its documentation shows it. */
export interface ApiOperation {
  anchor: string
  title: string
  summary: string
  /** Methods with addresses, the POST first. */
  addresses: readonly string[]
  fields: readonly { name: string; about: string; values: string }[]
  /** A call that works, behind "curl" and the base address. */
  call?: string
  answer?: { from: string; text: string }
}

export interface Head {
  title: string
  description: string
  /** The address of this page. */
  path: string
  /** The address that search engines should keep, when it is another. */
  canonical?: string
  hidden?: boolean
  /** Its address may hold tokens, so nobody else learns of it. */
  private?: boolean
  image?: string
  structured: readonly Record<string, unknown>[]
}

export interface Link {
  title: string
  href: string
}

export interface Card extends Link {
  summary: string
}

export interface Category extends Card {
  slug: string
  tools: readonly Card[]
}

export interface ToolPage {
  kind: 'tool'
  tool: ToolModel
  related: { left: readonly Link[]; right: readonly Link[] }
  prose: readonly Block[]
  specs: readonly { name: string; href?: string | undefined }[]
}

export interface NotFound {
  kind: 'not-found'
  title: string
  text: string
  button: string
}

/** What the running page knows of its tool: a definition less its functions, and where those are. */
export interface ToolModel {
  id: string
  title: string
  category: Link
  runs: 'anywhere' | 'server'
  words: Wording
  caution?: string | undefined
  lookups: readonly string[]
  /** Published examples over all actions. */
  vectors: number
  actions: readonly ActionModel[]
  /** Index of the action this page opens with. */
  current: number
  /** The field that this page presets, and its value. */
  preset?: { field: string; value: string } | undefined
  /** The tool's own pages by preset, the one without first. */
  variants: readonly Link[]
  /** Address of the chunk with the definition, of the worker that runs it, and of the view if there is one. */
  chunk: string
  worker: string
  view?: string | undefined
  /** The view can run it in the page too. */
  here?: boolean | undefined
}

export interface ActionModel {
  name: string
  label: string
  /** Below /api/. */
  path: string
  href: string
  title: string
  summary: string
  documentTitle: string
  fields: readonly FieldModel[]
  swap?: { to: string; from: string; into: string } | undefined
  examples: readonly { title: string; input: Readonly<Record<string, string>> }[]
}

export type FieldModel = FieldData & { name: string }

/** The words of one page; a view may bring its own. */
export interface Wording {
  idle: string
  busy: string
  /** How errors are drawn: under "Error:" as the runner does, or by title and message as a lookup does. */
  errors: 'box' | 'titled'
  /** Said beside the spinner. */
  loading: string
  missing: string
  /** The title over it, and the words in its place when the run would be in the browser. */
  missingTitle?: string
  missingHere?: string
  /** Before the placeholder when the format is wrong; empty when only emptiness is refused. */
  mismatch: string
  /** The title of every error; empty to find it in the table. */
  failed: string
  /** Said when the network fails. */
  offline: string
  /** Said under 'Unexpected Error' when the page itself fails; empty for the words of all pages. */
  unexpected: string
  /** The button stays pressable while the input is blank. */
  alwaysEnabled: boolean
  /** What the places of a run are called. */
  places?: { browser: string; server: string }
  /** No input can be changed during a run. */
  locked?: boolean
}

export type EmploymentType = 'internship' | 'full-time'

/** An open position; its slug is its key. */
export interface Position {
  title: string
  type: readonly EmploymentType[]
  description: string
  requirements: readonly string[]
  responsibilities: readonly string[]
  technologies: readonly string[]
}

/** What the running form knows: whom it is for, and which positions there are. */
export interface ApplicationModel {
  brand: string
  contact: string
  roles: readonly { slug: string; title: string; type: readonly EmploymentType[] }[]
  /** The form is sent to the server; otherwise it stays in the browser. */
  delivers: boolean
}

/** What the pages of an account know. */
export interface AccountModel {
  brand: string
  /** Where the accounts are kept: empty for where the site is. */
  base: string
}

/** What every page shares. */
export interface Site {
  brand: string
  base: string
  contact: string
  menu: readonly MenuEntry[]
  accordion: readonly MenuEntry[]
  footer: readonly Link[]
  year: number
  assets: Assets
}

export interface MenuEntry extends Link {
  links: readonly Link[]
}

export interface Assets {
  style: string
  fonts: readonly string[]
  scripts: Readonly<Record<'chrome' | 'tool' | 'paste' | 'careers' | 'contact' | 'auth' | 'return' | 'profile', Script>>
}

export interface Script {
  file: string
  imports: readonly string[]
}

/** What the bundled half that draws pages offers to the build. */
export interface Renderer {
  renderPage(page: Page, site: Site): Promise<string>
  /** The content of the one inline script, for its hash. */
  themeScript: string
  /** What views bring to their pages, by the path of the view. */
  views: Readonly<Record<string, ViewFacts>>
}

export interface ViewFacts {
  wording?: Partial<Wording> | undefined
  /** Other origins that the pages of the tool may connect to. */
  connect?: readonly string[] | undefined
  /** The tool can be run in the page. */
  here: boolean
}
