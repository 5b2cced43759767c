import type { Settings } from './settings.ts'

/** What the pages were built with in place of the settings of one installation. */
export type StandIns = Readonly<Record<'base' | 'contact', string>>

export type Installation = Pick<Settings, 'base' | 'contact' | 'root'>

/** Scripts hold data in JSON; everything else of a page is markup. */
const SCRIPTS = /(<script[^>]*>[\s\S]*?<\/script>)/
const ROOTED_ATTRIBUTE = /(\s(?:href|src|action)=")\/(?!\/)/g
const ROOTED_VALUE = /("(?:href|src|chunk|worker|start_url)":")\/(?!\/)/g
/** Addresses of the API as its documentation spells them. */
const SPELLED_ADDRESS = /(<code>(?:GET|POST) )\//g
const ROBOTS_RULE = /^((?:Dis)?allow: )\//gim

const DOCUMENT = /<html /

/** Fits a built text to the installation: its address, its contact, and where on its host it begins. */
export function fitted(address: string, text: string, standIns: StandIns, installation: Installation): string {
  const { root } = installation
  if (address.endsWith('.html')) {
    return text
      .split(SCRIPTS)
      .map((part, index) =>
        index % 2
          ? rooted(named(part, standIns, installation, inJson), [ROOTED_ATTRIBUTE, ROOTED_VALUE], root)
          : rooted(named(part, standIns, installation, inMarkup), [ROOTED_ATTRIBUTE, SPELLED_ADDRESS], root),
      )
      .join('')
      .replace(DOCUMENT, opening => (root ? `${opening}data-root="${root}" ` : opening))
  }
  const quoted = address.endsWith('.xml') ? inMarkup : inJson
  return rooted(named(text, standIns, installation, quoted), [ROOTED_VALUE, ROBOTS_RULE], root)
}

function named(text: string, standIns: StandIns, { base, contact }: Installation, quoted: typeof inJson): string {
  return text
    .replaceAll(standIns.base, () => quoted(base ?? standIns.base))
    .replaceAll(standIns.contact, () => quoted(contact ?? standIns.contact))
}

const rooted = (text: string, patterns: readonly RegExp[], root: string): string =>
  root ? patterns.reduce((sofar, pattern) => sofar.replace(pattern, `$1${root}/`), text) : text

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }
const inMarkup = (text: string) => text.replace(/[&<>"']/g, character => entities[character] ?? character)
const inJson = (text: string) => JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c')
