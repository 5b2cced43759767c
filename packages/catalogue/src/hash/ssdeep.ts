import { action, explain, field, panel, sh, tool, type Update } from '@assay/kit'
import { compareSsdeep, createSsdeep, parseSsdeep } from '@assay/lib/hash/ssdeep'
import { byteCount } from './command.ts'
import { chosen, feed } from './similarity.ts'

const MILLISECONDS_PER_MEBIBYTE = 80
const MEBIBYTE = 1_048_576
const category = 'hash-generators-and-checksum'

interface SsdeepResult {
  hash_value: string
  block_size: number
  input_bytes: number
}

/** Fuzzy hashes by pieces that the content itself cuts. Kornblum 2006. */
export const ssdeep = tool({
  id: 'ssdeep',
  path: 'ssdeep',
  title: 'ssdeep Fuzzy Hash and Compare',
  category,
  summary: 'The fuzzy hash of a text or a file, and how alike two such hashes are.',
  keywords: ['fuzzy hash', 'ctph', 'spamsum', 'similarity', 'malware', 'virustotal', 'context triggered piecewise'],
  specs: ['Kornblum 2006', 'ssdeep 2.14'],
  caution: 'It says how alike two files are and proves nothing: files can be made to look alike or different at will.',
  runs: 'anywhere',
  actions: {
    hash: action({
      title: 'ssdeep Fuzzy Hash Generator',
      summary: 'The fuzzy hash of a text or of a file, by which similar ones can be found.',
      fields: {
        input_text: field.bytes('Text', { optional: true, placeholder: 'Text to hash' }),
        file: field.file('File', { optional: true }),
      },
      async *run({ input_text, file }): AsyncGenerator<Update<SsdeepResult>, SsdeepResult, void> {
        const running = createSsdeep()
        const feeding = feed(chosen(file, input_text), bytes => running.update(bytes))
        let step = await feeding.next()
        for (; !step.done; step = await feeding.next()) {
          yield { ...(file?.size && { progress: Math.min(step.value / file.size, 1) }), label: 'Cutting into pieces' }
        }
        const hash_value = running.digest()
        return { hash_value, block_size: parseSsdeep(hash_value).blockSize, input_bytes: step.value }
      },
      show: ({ hash_value, block_size, input_bytes }) => [
        panel.code(hash_value, { title: 'ssdeep' }),
        panel.facts([
          ['Block size', String(block_size)],
          ['Input', byteCount(input_bytes)],
        ]),
        ...(input_bytes < SHORT_BYTES
          ? [panel.note('info', 'So short an input gives a hash that can hardly be compared with others.')]
          : []),
      ],
      terminal: ({ file }) => (file ? { command: sh`ssdeep -b ${file.name}` } : undefined),
      cost: ({ input_text, file }) => ({
        milliseconds: 3 + ((file?.size ?? input_text?.length ?? 0) / MEBIBYTE) * MILLISECONDS_PER_MEBIBYTE,
        megabytes: 8,
      }),
      swap: { to: 'compare', from: 'hash_value', into: 'hash_value' },
      examples: [
        {
          from: 'ssdeep 2.14',
          input: { input_text: 'Also called fuzzy hashes, Ctph can match inputs that have homologies.' },
          result: { hash_value: '3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C', block_size: 3 },
        },
        {
          from: 'ssdeep 2.14',
          title: 'Three letters changed',
          input: { input_text: 'Also called fuzzy hashes, CTPH can match inputs that have homologies.' },
          result: { hash_value: '3:AXGBicFlIHBGcL6wCrFQEv:AXGH6xLsr2C' },
        },
      ],
    }),
    compare: action({
      title: 'ssdeep Fuzzy Hash Comparison',
      summary: 'How alike two ssdeep hashes are, from 0 to 100.',
      fields: {
        hash_value: field.text('First hash', {
          maxLength: 1000,
          placeholder: '3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C',
        }),
        hash_value_2: field.text('Second hash', {
          maxLength: 1000,
          placeholder: '3:AXGBicFlIHBGcL6wCrFQEv:AXGH6xLsr2C',
        }),
      },
      run({ hash_value, hash_value_2 }) {
        const a = explain('hash_value', 'First hash', () => parseSsdeep(hash_value))
        const b = explain('hash_value_2', 'Second hash', () => parseSsdeep(hash_value_2))
        const [small, large] = [Math.min(a.blockSize, b.blockSize), Math.max(a.blockSize, b.blockSize)]
        return {
          score: compareSsdeep(a, b),
          comparable: large <= 2 * small,
          block_size: a.blockSize,
          block_size_2: b.blockSize,
        }
      },
      show: ({ score, comparable, block_size, block_size_2 }) => [
        panel.banner(
          score > 0 ? 'info' : 'neutral',
          score > 0 ? `Alike to ${score} of 100` : 'Nothing in common found',
          {
            ...(!comparable && {
              detail: 'Their block sizes differ too much, so the inputs have very different lengths.',
            }),
          },
        ),
        panel.facts([
          ['Score', { text: `${score} of 100`, bar: score / 100 }],
          ['Block sizes', `${block_size} and ${block_size_2}`],
        ]),
      ],
      examples: [
        {
          from: 'ssdeep 2.14',
          input: {
            hash_value: '3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C',
            hash_value_2: '3:AXGBicFlIHBGcL6wCrFQEv:AXGH6xLsr2C',
          },
          result: { score: 22, comparable: true },
        },
        {
          from: 'ssdeep 2.14',
          title: 'A hash with itself',
          input: {
            hash_value: '3:AXGBicFlIHBGcL6wCrFQEv:AXGH6xLsr2C',
            hash_value_2: '3:AXGBicFlIHBGcL6wCrFQEv:AXGH6xLsr2C',
          },
          result: { score: 100 },
        },
      ],
    }),
  },
})

/** The author of ssdeep names 4096 bytes as the length from which results are of use. */
const SHORT_BYTES = 4096
