import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Settings } from './settings.ts'
import type { Page } from './src/page.ts'
import { parseProse } from './src/prose.ts'
import { webPage } from './structured.ts'

const folder = new URL('./text/', import.meta.url)

/** The page with the form to write to us. */
const CONTACT = '/contact-us/'

/**
 * The pages that are only text, one Markdown file each. The first line is "# Title", the second its description;
 * {brand} and {contact} stand for the settings.
 */
export function textPages(settings: Settings): Page[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.endsWith('.md'))
    .sort()
    .map(name => {
      const source = readFileSync(new URL(name, folder), 'utf8')
        .replaceAll('{brand}', settings.brand)
        .replaceAll('{contact}', settings.contact)
      const [, title = '', description = '', body = ''] = /^# (.+)\n+(.+)\n+([\s\S]*)$/.exec(source) ?? []
      const path = `/${name.replace(/\.md$/, '')}/`
      return {
        kind: 'text',
        title,
        blocks: parseProse(body),
        ...(path === CONTACT && { contact: settings.contact }),
        head: {
          title: `${title} | ${settings.brand}`,
          description,
          path,
          structured: [webPage(settings, title, description, path)],
        },
      }
    })
}
