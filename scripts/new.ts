import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** `npm run new hash/blake3` writes the topic file with an empty definition and adds it to the folder's list. */
const [folder, topic] = (process.argv[2] ?? '').split('/')
if (!folder || !topic || !/^[a-z0-9-]+$/.test(topic)) stop('Usage: npm run new <folder>/<topic>, such as hash/blake3')
const index = `packages/catalogue/src/${folder}/index.ts`
const file = `packages/catalogue/src/${folder}/${topic}.ts`
if (!existsSync(index)) stop(`There is no ${index}; the folders of the catalogue are its chapters.`)
if (existsSync(file)) stop(`${file} is there already.`)

const name = topic.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
writeFileSync(
  file,
  `import { field, tool } from '@assay/kit'

/** What it is, in one sentence. Document, section. */
export const ${name} = tool({
  id: '${topic}',
  path: '${topic}',
  title: '',
  category: 'hash-generators-and-checksum',
  summary: '',
  keywords: [],
  specs: [],
  runs: 'anywhere',
  fields: { input_text: field.bytes('Text') },
  run: ({ input_text }) => ({ bytes: input_text.length }),
  examples: [],
})
`,
)
const list = readFileSync(index, 'utf8')
const added = list
  .replace(/(\n\n)/, `\nimport { ${name} } from './${topic}.ts'$1`)
  .replace(/\n?\s*\]\s*$/, match => `${match.includes('\n') ? `\n  ${name},` : `, ${name}`}${match}`)
writeFileSync(index, added)
console.log(
  `${file}\n${index}\nNow write content/tools/${topic}.md, fill in the definition and run npm test: it says what is missing.`,
)

function stop(message: string): never {
  console.error(message)
  process.exit(2)
}
