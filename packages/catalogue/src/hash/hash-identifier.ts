import { badge, field, mono, type Panel, Problem, panel, type Tone, tool } from '@assay/kit'
import { type HashCandidate, identifyHash, type Likelihood } from '@assay/lib/hash/identify'

const MAX_LINES = 200
/** Longer than any form known here except documents, whose prefix says enough. */
const MAX_LINE_LENGTH = 4096
const SHOWN_LENGTH = 80

interface Named {
  value: string
  length: number
  candidates: HashCandidate[]
  empty?: string
  inner?: string
}

/** What kind of hash a text may be, by its form alone. */
export const hashIdentifier = tool({
  id: 'hash-identifier',
  path: 'hash-identifier',
  title: 'Hash Identifier',
  category: 'hash-generators-and-checksum',
  summary: 'Name the function or the program that a hash may come from, with how likely each is.',
  keywords: ['hash type', 'hashid', 'hash-identifier', 'hashcat mode', 'which hash', 'analyze hash', 'shadow'],
  specs: ['hashcat example hashes', 'crypt(5)', 'PHC string format'],
  runs: 'anywhere',
  fields: {
    hash_value: field.area('Hash', {
      placeholder: '5d41402abc4b2a76b9719d911017c592',
      help: `One in each line, at most ${MAX_LINES}; lines of /etc/shadow and htpasswd are read as well.`,
    }),
  },
  run({ hash_value }) {
    const lines = hash_value.split('\n').flatMap(line => line.trim() || [])
    const refuse = (message: string) => new Problem('invalid-input', message, { field: 'hash_value' })
    if (lines.length === 0) throw refuse('Hash: please enter at least one hash.')
    if (lines.length > MAX_LINES) throw refuse(`Hash: expected at most ${MAX_LINES} lines, got ${lines.length}.`)
    if (lines.some(line => line.length > MAX_LINE_LENGTH)) {
      throw refuse(`Hash: expected lines of at most ${MAX_LINE_LENGTH} characters.`)
    }
    const hashes: Named[] = lines.map(value => ({ value, length: value.length, ...identifyHash(value) }))
    return { identified: hashes.filter(({ candidates }) => candidates.length > 0).length, hashes }
  },
  show({ hashes }) {
    const [only] = hashes
    if (only && hashes.length === 1) return one(only)
    return hashes.map(hash =>
      panel.section(hash.value.slice(0, SHOWN_LENGTH), one(hash), {
        ...(hash.candidates[0] && { detail: hash.candidates[0].name }),
      }),
    )
  },
  examples: [
    {
      from: 'RFC 1321 §A.5',
      input: { hash_value: '900150983cd24fb0d6963f7d28e17f72' },
      result: { identified: 1 },
    },
    {
      from: 'crypt_blowfish wrapper.c',
      title: 'A form that names itself',
      input: { hash_value: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' },
      result: {
        hashes: [
          {
            value: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
            length: 60,
            candidates: [
              { name: 'bcrypt', likelihood: 'certain', hashcat: 3200, met: 'OpenBSD, PHP, Rails, htpasswd -B' },
            ],
          },
        ],
      },
    },
    {
      from: 'hashcat example hashes',
      title: 'Several at once',
      input: {
        hash_value:
          '$P$984478476IagS59wHZvyQMArzfx58u.\n48c/R8JAv757A\n$apr1$71850310$gh9m4xcAn3MGxogwX/ztb.\nno hash at all',
      },
      result: { identified: 3 },
    },
  ],
})

const tones: Record<Likelihood, Tone> = { certain: 'good', likely: 'info', possible: 'neutral', unlikely: 'neutral' }

function one({ candidates, empty, inner, length }: Named): Panel[] {
  return [
    ...(empty ? [panel.note('warn', `This is the ${empty} hash of nothing: an empty file, text or password.`)] : []),
    panel.table(
      ['May be', 'Likelihood', 'hashcat mode', 'Met in'],
      candidates.map(({ name, likelihood, hashcat, met }) => [
        name,
        badge(likelihood, tones[likelihood]),
        hashcat === undefined ? '' : mono(hashcat),
        met ?? '',
      ]),
      { empty: 'No form known here. A hash that was cut, or encoded otherwise, looks like this.' },
    ),
    panel.facts([
      ['Length', `${length} characters`],
      ...(inner ? [['Hash inside the line', mono(inner.slice(0, SHOWN_LENGTH))] as const] : []),
    ]),
  ]
}
