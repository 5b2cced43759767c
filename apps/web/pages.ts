import { catalogue } from '@assay/catalogue/catalogue'
import { accountPages } from './account.ts'
import { apiPage } from './api-docs.ts'
import { careersPage } from './careers.ts'
import { menuOf } from './menu.ts'
import { categoryCards, type Sources, toolCount, toolPages } from './model.ts'
import type { Settings } from './settings.ts'
import type { Category, NotFound, Page, Site } from './src/page.ts'
import { collection, webPage, webSite } from './structured.ts'
import { textPages } from './text.ts'

/** Every page of the site, in the order of the sitemap. */
export function allPages(sources: Sources): Page[] {
  const { settings } = sources
  const categories = categoryCards()
  return [
    home(settings, categories),
    ...categories.map(category => categoryPage(settings, category)),
    indexPage(settings, categories),
    ...catalogue.flatMap(tool => toolPages(tool, sources)),
    apiPage(settings),
    careersPage(settings),
    ...textPages(settings),
    ...accountPages(settings),
  ]
}

function home(settings: Settings, categories: readonly Category[]): Page {
  const description = `${toolCount} DNS, network, security and cryptography tools. What can run in your browser never leaves it.`
  return {
    kind: 'home',
    categories,
    count: toolCount,
    head: {
      title: `${settings.brand}: DNS, network and cryptography tools`,
      description,
      path: '/',
      structured: [webSite(settings, description)],
    },
  }
}

const categoryPage = (settings: Settings, category: Category): Page => ({
  kind: 'category',
  category,
  head: {
    title: `${category.title} | ${settings.brand}`,
    description: category.summary,
    path: category.href,
    structured: [collection(settings, category.title, category.href, category.tools)],
  },
})

const indexPage = (settings: Settings, categories: readonly Category[]): Page => ({
  kind: 'index',
  categories,
  count: toolCount,
  head: {
    title: `All tools | ${settings.brand}`,
    description: `Every tool of ${settings.brand} on one page, by category.`,
    path: '/tools/',
    structured: [webPage(settings, 'All tools', `Every tool of ${settings.brand} on one page.`, '/tools/')],
  },
})

/** The screens for addresses that lead nowhere, by the file they are written to. */
export function notFoundPages(settings: Settings): Record<string, Page> {
  const page = (title: string, text: string, button: string): Page => {
    const screen: NotFound = { kind: 'not-found', title, text, button }
    return {
      ...screen,
      head: { title: `${title} | ${settings.brand}`, description: text, path: '/', hidden: true, structured: [] },
    }
  }
  const typed = 'Nothing is kept at this address.'
  return {
    '404.html': page('Page Not Found', typed, 'Go Back to Home'),
    '404/category.html': page('Page not found', 'There is no category at this address.', 'Go Back to Home'),
    '404/tool.html': page('Tool Not Found', "The tool you're trying to access does not exist.", 'Go to Homepage'),
    '404/single-tool.html': page('404 Tool Not Found', 'There is no tool of this name.', 'Go Back Home'),
    '404/whois.html': page('404 Tool Not Found', 'There is no tool of this name.', 'Go Home'),
    '404/record-type.html': page('404 Invalid Record Type', 'There is no page for this record type.', 'Go Back Home'),
  }
}

/** What all pages share. */
export function siteOf(sources: Sources): Site {
  const { settings, bundle } = sources
  return { ...settings, ...menuOf(categoryCards()), year: new Date().getFullYear(), assets: bundle.assets }
}
