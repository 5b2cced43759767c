import { type Action, type CategorySlug, categories, type Tool } from '@assay/kit'
import { attack } from './attack/index.ts'
import { certificate } from './certificate/index.ts'
import { cipher } from './cipher/index.ts'
import { dns } from './dns/index.ts'
import { domain } from './domain/index.ts'
import { encode } from './encode/index.ts'
import { encrypt } from './encrypt/index.ts'
import { generate } from './generate/index.ts'
import { hash } from './hash/index.ts'
import { network } from './network/index.ts'
import { sign } from './sign/index.ts'
import { site } from './site/index.ts'

/** Every tool of the site, in page order within each category. */
export const catalogue: readonly Tool[] = [
  ...domain,
  ...dns,
  ...site,
  ...network,
  ...hash,
  ...encode,
  ...encrypt,
  ...sign,
  ...certificate,
  ...cipher,
  ...generate,
  ...attack,
]

/** The tools of one category. */
export const toolsOf = (slug: CategorySlug): Tool[] => catalogue.filter(({ category }) => category === slug)

/** The categories that have tools. */
export const filledCategories = categories.filter(({ slug }) => toolsOf(slug).length > 0)

/** An action with the tool it belongs to: what every door walks. */
export const actions: readonly { tool: Tool; action: Action }[] = catalogue.flatMap(tool =>
  tool.actions.map(action => ({ tool, action })),
)
