import type { Settings } from './settings.ts'
import type { Link } from './src/page.ts'

/** Structured data of pages in the vocabulary of schema.org. */
export type Structured = Record<string, unknown>

const context = { '@context': 'https://schema.org' }

export const softwareApplication = (
  { base }: Settings,
  name: string,
  description: string,
  path: string,
): Structured => ({
  ...context,
  '@type': 'WebApplication',
  name,
  description,
  url: base + path,
  applicationCategory: 'DeveloperApplication',
  operatingSystem: 'Any',
  browserRequirements: 'Requires JavaScript',
  isAccessibleForFree: true,
  offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
})

export const breadcrumbs = ({ base }: Settings, links: readonly Link[]): Structured => ({
  ...context,
  '@type': 'BreadcrumbList',
  itemListElement: [{ title: 'Home', href: '/' }, ...links].map(({ title, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: title,
    item: base + href,
  })),
})

export const webSite = ({ base, brand }: Settings, description: string): Structured => ({
  ...context,
  '@type': 'WebSite',
  name: brand,
  description,
  url: `${base}/`,
  inLanguage: 'en-US',
})

export const collection = ({ base }: Settings, name: string, path: string, links: readonly Link[]): Structured => ({
  ...context,
  '@type': 'CollectionPage',
  name,
  url: base + path,
  mainEntity: {
    '@type': 'ItemList',
    itemListElement: links.map(({ title, href }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: title,
      url: base + href,
    })),
  },
})

export const webPage = ({ base }: Settings, name: string, description: string, path: string): Structured => ({
  ...context,
  '@type': 'WebPage',
  name,
  description,
  url: base + path,
})
