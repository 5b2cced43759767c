import { type CategorySlug, type Example, field, panel, printf, type Terminal, tool } from '@assay/kit'
import { outputFormats, writeBytes } from '@assay/lib/bytes'
import { digest, type HashName } from '@assay/lib/hash/digest'

interface DigestTool {
  id: string
  title: string
  summary: string
  keywords: readonly string[]
  specs: readonly string[]
  caution?: string
  algorithms: readonly [HashName, ...HashName[]]
  default?: HashName
  /** The command that hashes standard input, its output beginning with the hash. */
  command(algorithm: HashName): string | undefined
  examples: readonly Example[]
}

const category: CategorySlug = 'hash-generators-and-checksum'

/** A tool that hashes a text or bytes with one of a family of functions. */
export function digestTool({ algorithms, default: preset, command, examples, ...head }: DigestTool) {
  const several = algorithms.length > 1
  return tool({
    ...head,
    path: head.id,
    category,
    runs: 'anywhere',
    fields: {
      input_text: field.bytes('Text', { placeholder: 'Text to hash' }),
      ...(several && { algorithm: field.choice('Hash function', algorithms, { default: preset ?? algorithms[0] }) }),
      output_format: field.choice('Output format', outputFormats),
    },
    async run({ input_text, algorithm = algorithms[0], output_format }) {
      const hash = await digest(algorithm, input_text)
      return { hash: writeBytes(hash, output_format), algorithm, bits: hash.length * 8, input_bytes: input_text.length }
    },
    show: ({ hash, algorithm, bits, input_bytes }) => [
      panel.facts([
        ['Hash', { text: hash, mono: true }],
        ['Function', `${algorithm}, ${bits} bits`],
        ['Input', `${input_bytes} bytes`],
      ]),
    ],
    terminal({ input_text, algorithm = algorithms[0], output_format }, { hash }): Terminal | undefined {
      const program = command(algorithm)
      if (!program || output_format !== 'Hex') return undefined
      return { command: `${printf(input_text)} | ${program}`, prints: hash }
    },
    examples,
  })
}
