import { type CategorySlug, type Example, field, panel, tool } from '@assay/kit'
import { outputFormats, writeBytes } from '@assay/lib/bytes'
import { digest, type HashName } from '@assay/lib/hash/digest'
import { byteCount, type HashProgram, hashCommand } from './command.ts'

interface DigestTool {
  id: string
  title: string
  summary: string
  keywords: readonly string[]
  specs: readonly string[]
  caution?: string
  algorithms: readonly [HashName, ...HashName[]]
  default?: HashName
  /** Said under the result of a function that has had its day. */
  weak?: Partial<Record<HashName, string>>
  programs: Partial<Record<HashName, HashProgram>>
  examples: readonly Example[]
}

const category: CategorySlug = 'hash-generators-and-checksum'

/** A tool that hashes a text or bytes with one of a family of functions. */
export function digestTool({ algorithms, default: preset, weak = {}, programs, examples, ...head }: DigestTool) {
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
    show({ hash, algorithm, bits, input_bytes }) {
      const warning = weak[algorithm]
      return [
        panel.facts([
          ['Hash', { text: hash, mono: true }],
          ['Function', `${algorithm}, ${bits} bits`],
          ['Input', byteCount(input_bytes)],
        ]),
        ...(warning ? [panel.note('warn', warning)] : []),
      ]
    },
    terminal: ({ input_text, algorithm = algorithms[0], output_format }, { hash }) =>
      hashCommand(input_text, programs[algorithm], output_format, hash),
    examples,
  })
}
