import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Checks every import against the arrows in ARCHITECTURE.md, so that the picture cannot rot. A line `net -> kit, node`
 * lets packages/net import @assay/kit and node:*; other libraries must stand in the workspace's own package.json. A
 * line `web/ui -> web/ui` binds a folder inside a workspace. Tests may import what they need.
 */
const ROOTS: Record<string, string> = {
  kit: 'packages/kit',
  lib: 'packages/lib',
  catalogue: 'packages/catalogue',
  net: 'packages/net',
  server: 'apps/server',
  web: 'apps/web',
  cli: 'apps/cli',
  mcp: 'apps/mcp',
  lab: 'lab',
  bench: 'bench',
}

const block = /```arrows\n([\s\S]*?)```/.exec(readFileSync('ARCHITECTURE.md', 'utf8'))?.[1]
if (!block) throw new Error('ARCHITECTURE.md has no block of arrows')
const arrows = new Map(
  block
    .split('\n')
    .filter(line => line.includes('->'))
    .map(line => {
      const [from = '', to = ''] = line.split('->')
      return [
        from.trim(),
        to
          .split(',')
          .map(word => word.trim())
          .filter(Boolean),
      ] as const
    }),
)

const faults: string[] = []
for (const [name, root] of Object.entries(ROOTS)) {
  const allowed = arrows.get(name)
  if (!allowed) {
    faults.push(`ARCHITECTURE.md says nothing about ${name}`)
    continue
  }
  const {
    dependencies = {},
    devDependencies = {},
    optionalDependencies = {},
  } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const libraries = { ...dependencies, ...devDependencies, ...optionalDependencies }
  const files = globSync(`${root}/**/*.{ts,tsx}`, { exclude: path => /node_modules|dist$/.test(path) })
  for (const file of files.filter(file => !/\.test\.tsx?$|\/test\//.test(file))) {
    for (const specifier of importsOf(file)) judge(name, root, file, specifier, allowed, libraries)
  }
}

/** What a tool may only get from its context. The linter bans the globals; these are methods of allowed ones. */
const UNSTEADY = /\b(?:Math\.random|Date\.now|new Date)\(\)/
for (const file of globSync('packages/{lib,catalogue}/src/**/*.ts').filter(file => !file.endsWith('.test.ts'))) {
  const found = UNSTEADY.exec(readFileSync(file, 'utf8'))
  if (found) faults.push(`${file}: ${found[0]} where the context has a clock and randomness`)
}
console.log(faults.length ? faults.join('\n') : `${arrows.size} arrows hold`)
process.exitCode = faults.length ? 1 : 0

function judge(name: string, root: string, file: string, specifier: string, allowed: string[], libraries: object) {
  const fault = (why: string) => faults.push(`${file}: ${specifier} ${why}`)
  if (specifier.startsWith('.')) {
    const target = relative(root, join(dirname(file), specifier.replace(/\?.*/, '')))
    if (target.startsWith('..') && !specifier.includes('/content/')) return fault(`leaves ${root}`)
    const [here, there] = [folderOf(relative(root, file)), folderOf(target)]
    if (!here || here === there) return
    const rule = arrows.get(`${name}/${here}`) ?? (there ? arrows.get(`${name}/*`) : undefined)
    if (rule && !rule.includes(there || '.')) return fault(`breaks ${name}/${here} -> ${rule.join(', ') || 'nothing'}`)
    return
  }
  const workspace = /^@assay\/([a-z]+)/.exec(specifier)?.[1]
  if (workspace) return allowed.includes(workspace) || workspace === name ? undefined : fault(`is no arrow of ${name}`)
  if (specifier.startsWith('node:')) return allowed.includes('node') ? undefined : fault(`is no arrow of ${name}`)
  const library = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  if (!(library in libraries) && !specifier.startsWith('virtual:')) fault(`is not in ${root}/package.json`)
}

/** The folder below src that a file lies in; '' for a file of src itself. */
function folderOf(path: string): string {
  const parts = path.split('/')
  return parts[0] === 'src' && parts.length > 2 ? (parts[1] ?? '') : ''
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const patterns = [
    /^\s*(?:import|export)\s[^'";]*?from\s+'([^']+)'/gm,
    /^\s*import\s+'([^']+)'/gm,
    /\bimport\(\s*'([^']+)'\s*\)/g,
  ]
  return patterns.flatMap(pattern => [...text.matchAll(pattern)].map(match => match[1] ?? ''))
}
