import { type Action, type CategorySlug, categories, type Tool } from '@assay/kit'
import { attack } from './attack/index.ts'
import { certificate } from './certificate/index.ts'
import { chain } from './chain/index.ts'
import { cipher } from './cipher/index.ts'
import { dns } from './dns/index.ts'
import { domain } from './domain/index.ts'
import { email } from './email/index.ts'
import { encode } from './encode/index.ts'
import { encrypt } from './encrypt/index.ts'
import { generate } from './generate/index.ts'
import { hash } from './hash/index.ts'
import { network } from './network/index.ts'
import { sign } from './sign/index.ts'
import { site } from './site/index.ts'

/** The DNS tools as their page lists them; the tools of other categories stand in the order of their folders. */
const dnsOrder = [
  'whois',
  'dns-lookup',
  'dns-records',
  'reverse-dns',
  'dnssec',
  'zone-transfer-check',
  'dns-caching-check',
  'dns-propagation-check',
  'dns-speed-test',
  'doh-support',
  'dns-benchmark-test',
  'edns-support-check',
  'subdomain-finder',
  'check-typosquatting',
  'dnsbl',
  'dmarc',
  'access-control-validator',
  'url-monitor',
  'http-headers',
  'port-scan',
]

const all: readonly Tool[] = [
  ...domain,
  ...dns,
  ...site,
  ...network,
  ...email,
  ...hash,
  ...encode,
  ...encrypt,
  ...sign,
  ...certificate,
  ...cipher,
  ...generate,
  ...attack,
  ...chain,
]

/** Every tool of the site, in page order within each category. */
export const catalogue: readonly Tool[] = [
  ...dnsOrder.flatMap(id => all.find(tool => tool.id === id) ?? []),
  ...all.filter(({ id }) => !dnsOrder.includes(id)),
]

/** The tools of one category. */
export const toolsOf = (slug: CategorySlug): Tool[] => catalogue.filter(({ category }) => category === slug)

/** The categories that have tools. */
export const filledCategories = categories.filter(({ slug }) => toolsOf(slug).length > 0)

/** An action with the tool it belongs to: what every door walks. */
export const actions: readonly { tool: Tool; action: Action }[] = catalogue.flatMap(tool =>
  tool.actions.map(action => ({ tool, action })),
)
