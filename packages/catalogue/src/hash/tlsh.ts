import { action, explain, field, Problem, panel, sh, tool, type Update } from '@assay/kit'
import { compareTlsh, createTlsh, MIN_TLSH_BYTES, parseTlsh } from '@assay/lib/hash/tlsh'
import { byteCount } from './command.ts'
import { chosen, feed } from './similarity.ts'

const MILLISECONDS_PER_MEBIBYTE = 60
const MEBIBYTE = 1_048_576
/** The distance up to which the authors call two files similar, with some 6 of 100 strangers among them. */
const SIMILAR = 100
/** The distance up to which hardly a stranger is among them. */
const VERY_SIMILAR = 30

interface TlshResult {
  hash_value: string
  input_bytes: number
}

/** Locality-sensitive hashes. Oliver, Cheng, Chen 2013. */
export const tlsh = tool({
  id: 'tlsh',
  path: 'tlsh',
  title: 'TLSH Fuzzy Hash and Distance',
  category: 'hash-generators-and-checksum',
  summary: 'The TLSH fuzzy hash of a text or a file, and the distance between two such hashes.',
  keywords: ['fuzzy hash', 'trend micro', 'locality sensitive hash', 'similarity', 'malware', 'virustotal', 'distance'],
  specs: ['Oliver, Cheng, Chen 2013', 'TLSH 4'],
  caution: 'It says how alike two files are and proves nothing: files can be made to look alike or different at will.',
  runs: 'anywhere',
  actions: {
    hash: action({
      title: 'TLSH Fuzzy Hash Generator',
      summary: 'The TLSH hash of a text or of a file, by which similar ones can be found.',
      fields: {
        input_text: field.bytes('Text', {
          optional: true,
          placeholder: 'Text to hash',
          help: `At least ${MIN_TLSH_BYTES} bytes, and not too uniform.`,
        }),
        file: field.file('File', { optional: true }),
      },
      async *run({ input_text, file }): AsyncGenerator<Update<TlshResult>, TlshResult, void> {
        const running = createTlsh()
        const feeding = feed(chosen(file, input_text), bytes => running.update(bytes))
        let step = await feeding.next()
        for (; !step.done; step = await feeding.next()) {
          yield { ...(file?.size && { progress: Math.min(step.value / file.size, 1) }), label: 'Counting triplets' }
        }
        const made = running.digest()
        if ('hash' in made) return { hash_value: made.hash, input_bytes: step.value }
        const [name, label] = file ? ['file', 'File'] : ['input_text', 'Text']
        throw new Problem('invalid-input', `${label}: ${reasons[made.reason]}.`, { field: name })
      },
      show: ({ hash_value, input_bytes }) => [
        panel.code(hash_value, { title: 'TLSH' }),
        panel.facts([['Input', byteCount(input_bytes)]]),
      ],
      terminal: ({ file }) => (file ? { command: sh`tlsh -f ${file.name}` } : undefined),
      cost: ({ input_text, file }) => ({
        milliseconds: 3 + ((file?.size ?? input_text?.length ?? 0) / MEBIBYTE) * MILLISECONDS_PER_MEBIBYTE,
        megabytes: 8,
      }),
      swap: { to: 'compare', from: 'hash_value', into: 'hash_value' },
      examples: [
        {
          from: 'tlsh2 crate documentation',
          input: { input_text: 'Sed ut perspiciatis unde omnis iste natuserror sit voluptatem accusantium' },
          result: { hash_value: 'T184A022B383C2A2A20ACB0830880CF0202CCAC080033A023800338A30B0880AA8E0BE38' },
        },
        {
          from: 'tlsh2 crate documentation',
          title: 'A second text, to compare',
          input: { input_text: 'odit aut fugit, sed quia consequuntur magni dolores' },
          result: { hash_value: 'T1A0900206425501145D739B981A514555312B55C556D1873848994257D60808446B2284' },
        },
      ],
    }),
    compare: action({
      title: 'TLSH Distance Calculator',
      summary: 'How far two TLSH hashes are apart: 0 for the same, some hundreds for strangers.',
      fields: {
        hash_value: field.text('First hash', { maxLength: 200, placeholder: 'T184A022B3…' }),
        hash_value_2: field.text('Second hash', { maxLength: 200, placeholder: 'T1…' }),
      },
      run({ hash_value, hash_value_2 }) {
        const a = explain('hash_value', 'First hash', () => parseTlsh(hash_value))
        const b = explain('hash_value_2', 'Second hash', () => parseTlsh(hash_value_2))
        const distance = compareTlsh(a, b)
        const verdict = distance <= VERY_SIMILAR ? 'very similar' : distance <= SIMILAR ? 'similar' : 'different'
        return { distance, verdict, distance_without_length: compareTlsh(a, { ...b, length: a.length }) }
      },
      show: ({ distance, verdict, distance_without_length }) => [
        panel.banner(verdict === 'different' ? 'neutral' : 'info', `Distance ${distance}`, { badge: verdict }),
        panel.facts([
          ['Distance', String(distance)],
          ['Without the lengths', String(distance_without_length)],
        ]),
      ],
      terminal: ({ hash_value, hash_value_2 }) => ({
        command: sh`tlsh -c ${hash_value.trim()} -d ${hash_value_2.trim()}`,
      }),
      examples: [
        {
          from: 'tlsh2 crate documentation',
          input: {
            hash_value: 'T184A022B383C2A2A20ACB0830880CF0202CCAC080033A023800338A30B0880AA8E0BE38',
            hash_value_2: 'T1A0900206425501145D739B981A514555312B55C556D1873848994257D60808446B2284',
          },
          result: { distance: 209, verdict: 'different' },
        },
        {
          from: 'TLSH, Oliver, Cheng, Chen 2013',
          title: 'A hash with itself, written as before version 4',
          input: {
            hash_value: 'T184A022B383C2A2A20ACB0830880CF0202CCAC080033A023800338A30B0880AA8E0BE38',
            hash_value_2: '84A022B383C2A2A20ACB0830880CF0202CCAC080033A023800338A30B0880AA8E0BE38',
          },
          result: { distance: 0, verdict: 'very similar' },
        },
      ],
    }),
  },
})

const reasons = {
  short: `expected at least ${MIN_TLSH_BYTES} bytes`,
  uniform: 'expected more variety; of something so uniform there is no hash',
}
