import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { catalogue } from '@assay/catalogue/catalogue'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig } from 'vite'
import type { Assets, Renderer, Script } from './src/page.ts'

const web = fileURLToPath(new URL('.', import.meta.url))
const topics = fileURLToPath(new URL('../../packages/catalogue/src/', import.meta.url))
export const dist = `${web}dist/`
const serverBundle = `${web}.cache/render/`

/** Where a tool is defined: its folder in the catalogue, and its file. */
export interface Topic {
  folder: string
  file: string
}

/** The topic file of every tool, found by importing them all and looking at what they export. */
export async function findTopics(): Promise<Map<string, Topic>> {
  const found = new Map<string, Topic>()
  const known = new Set<unknown>(catalogue)
  for (const { name: folder } of readdirSync(topics, { withFileTypes: true }).filter(entry => entry.isDirectory())) {
    for (const name of readdirSync(topics + folder)) {
      if (!/^[a-z0-9-]+(?:\.[a-z]+)?\.ts$/.test(name) || name.endsWith('.test.ts') || name === 'index.ts') continue
      const file = `${topics}${folder}/${name}`
      const exported: Record<string, unknown> = await import(pathToFileURL(file).href)
      for (const value of Object.values(exported).flat()) {
        if (known.has(value) && isTool(value)) found.set(value.id, { folder, file })
      }
    }
  }
  const missing = catalogue.filter(({ id }) => !found.has(id)).map(({ id }) => id)
  if (missing.length) throw new Error(`No topic file exports ${missing.join(', ')}`)
  return found
}

const isTool = (value: unknown): value is { id: string } => typeof value === 'object' && value !== null && 'id' in value

/** Names of the entries beside the topic files. */
const entries = {
  chrome: 'src/islands/chrome.ts',
  tool: 'src/islands/tool-entry.tsx',
  paste: 'src/islands/paste-entry.tsx',
  careers: 'src/islands/careers-entry.tsx',
  contact: 'src/islands/contact-entry.ts',
  auth: 'src/islands/auth-entry.tsx',
  return: 'src/islands/return-entry.ts',
  profile: 'src/islands/profile-entry.tsx',
  worker: 'src/worker.ts',
  sw: 'src/sw.ts',
  style: 'src/style.css',
}

export interface Bundle {
  assets: Assets
  worker: Script
  /** The chunk of each tool by id. */
  chunks: ReadonlyMap<string, Script>
}

/** Builds everything the browser loads into dist/assets. */
export async function buildClient(byTool: ReadonlyMap<string, Topic>, development: boolean): Promise<Bundle> {
  const files = [...new Set([...byTool.values()].map(({ file }) => file))]
  const config: InlineConfig = {
    root: web,
    configFile: false,
    // Assets name each other by where they lie, so that the site may begin anywhere on its host.
    base: './',
    logLevel: 'warn',
    plugins: [react(), tailwindcss()],
    define: { __DEVELOPMENT__: JSON.stringify(development) },
    build: {
      outDir: dist,
      emptyOutDir: true,
      manifest: true,
      // Its helper touches `document`, which a worker lacks; the pages carry their own modulepreload links.
      modulePreload: false,
      cssCodeSplit: true,
      assetsInlineLimit: 0,
      target: 'es2022',
      minify: !development,
      rolldownOptions: {
        input: [...Object.values(entries), ...files],
        preserveEntrySignatures: 'exports-only',
        output: {
          entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
          // The licences of libraries ask for their notices to stay.
          comments: { legal: true },
        },
      },
    },
  }
  await build(config)
  return readBundle(byTool)
}

interface ManifestChunk {
  file: string
  imports?: string[]
}

function readBundle(byTool: ReadonlyMap<string, Topic>): Bundle {
  const manifest: Record<string, ManifestChunk> = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8'))
  const script = (key: string): Script => {
    const imports = new Set<string>()
    const walk = (name: string) => {
      const chunk = manifest[name]
      if (!chunk) throw new Error(`The build holds no ${name}`)
      for (const next of chunk.imports ?? []) {
        if (imports.has(`/${manifest[next]?.file}`)) continue
        imports.add(`/${manifest[next]?.file}`)
        walk(next)
      }
      return `/${chunk.file}`
    }
    return { file: walk(key), imports: [...imports] }
  }
  // The face of the text is fetched ahead of time; that of values may come a moment later.
  const fonts = Object.entries(manifest)
    .filter(([key]) => key.endsWith('.woff2') && key.includes('/inter-'))
    .map(([, { file }]) => `/${file}`)
  return {
    assets: {
      style: script(entries.style).file,
      fonts,
      scripts: {
        chrome: script(entries.chrome),
        tool: script(entries.tool),
        paste: script(entries.paste),
        careers: script(entries.careers),
        contact: script(entries.contact),
        auth: script(entries.auth),
        return: script(entries.return),
        profile: script(entries.profile),
      },
    },
    worker: script(entries.worker),
    chunks: new Map([...byTool].map(([id, { file }]) => [id, script(relativeKey(file))])),
  }
}

/** Vite names an input by its path from the root. */
const relativeKey = (file: string) => `../../${file.slice(file.indexOf('packages/catalogue/'))}`

/** Builds and loads the half of the site that turns pages into markup. */
export async function buildRenderer(development: boolean): Promise<Renderer> {
  await build({
    root: web,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    define: { __DEVELOPMENT__: JSON.stringify(development) },
    build: {
      ssr: 'src/render.tsx',
      outDir: serverBundle,
      emptyOutDir: true,
      copyPublicDir: false,
      minify: false,
      target: 'es2024',
    },
  })
  return import(`${pathToFileURL(serverBundle).href}render.js?${Date.now()}`)
}

/** The view of a tool, by the same path as its topic folder; undefined for nearly all. */
export function viewOf(id: string, { folder }: Topic): string | undefined {
  return existsSync(`${web}src/views/${folder}/${id}.tsx`) ? `${folder}/${id}` : undefined
}
