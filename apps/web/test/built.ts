import { existsSync, readFileSync } from 'node:fs'
import { actions } from '@assay/catalogue/catalogue'
import { buildSite } from '../build.ts'
import { dist } from '../bundle.ts'
import { readSettings } from '../settings.ts'

/** Builds the site unless it is there with a page for every action. */
export async function ensureBuilt(): Promise<void> {
  if (existsSync(`${dist}pages.json`)) {
    const pages = new Set<string>(JSON.parse(read('pages.json')))
    if (actions.every(({ tool, action }) => pages.has(`/${tool.category}/${action.path}/`))) return
  }
  await buildSite({ settings: readSettings({}) })
}

/** A file of the built site. */
export const read = (path: string): string => readFileSync(dist + path.replace(/^\//, ''), 'utf8')
