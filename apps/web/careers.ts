import { positions } from './positions.ts'
import type { Settings } from './settings.ts'
import type { Page } from './src/page.ts'
import { webPage } from './structured.ts'

const path = '/careers/'

/** The careers page: its positions in full, and what its form needs of them. */
export function careersPage(settings: Settings): Page {
  const { brand, contact } = settings
  const description = `Open positions at ${brand}, what working here is like, and how to apply.`
  return {
    kind: 'careers',
    positions,
    form: {
      brand,
      contact,
      roles: Object.entries(positions).map(([slug, { title, type }]) => ({ slug, title, type })),
    },
    head: {
      title: `Careers | ${brand}`,
      description,
      path,
      structured: [webPage(settings, 'Careers', description, path)],
    },
  }
}
