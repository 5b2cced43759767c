import { explain, field, mono, type Panel, Problem, panel, tool, type Update } from '@assay/kit'
import { type Candidates, variationCount, wordCandidates } from '@assay/lib/attack/candidates'
import { type CrackProgress, parseTargets, type Target } from '@assay/lib/attack/crack'
import type { Bytes } from '@assay/lib/bytes'
import { commonWords, count, guess, MAX_WORDS, MILLISECONDS_PER_TRIAL, wordsOf } from './guessing.ts'

const algorithms = ['MD5', 'SHA1', 'SHA256'] as const
const positions = ['before', 'after'] as const

/** Some forty seconds in a browser: every word of a long list in a hundred forms. */
const MAX_TRIALS = 10_000_000
const MAX_SALT_BYTES = 1024

interface Question {
  hash: string
  algorithm: (typeof algorithms)[number]
  dictionary: string
  common_passwords: boolean
  rules: 'none' | 'simple'
  salt: Bytes | undefined
  salt_position: (typeof positions)[number]
}

interface Attack {
  found: boolean
  password: string | null
  /** How the word was changed, and how many hashes had been computed by then. */
  how?: string
  after?: number
  tried: number
  words: number
  candidates: number
  /** Whether everything there was to try was tried, or the limit ended it. */
  exhausted: boolean
  salted: boolean
}

/** One password hash, salted or not, against a list of words. */
export const dictionaryAttack = tool({
  id: 'dictionary-attack',
  path: 'dictionary-attack',
  title: 'Password Dictionary Attack Demo',
  category: 'attack-demos-and-analysis',
  summary: 'Look for the word behind an MD5, SHA-1 or SHA-256 hash in a list of your own, with a salt or without.',
  keywords: ['dictionary', 'wordlist', 'salt', 'password', 'crack', 'guess', 'rules', 'leet'],
  specs: ['RFC 1321', 'FIPS 180-4', 'NIST SP 800-63B'],
  runs: 'anywhere',
  weight: 'crack',
  caution: 'Try it on hashes of your own, or on those whose owner asked you to.',
  fields: {
    hash: field.text('Hash', { placeholder: '5f4dcc3b5aa765d61d8327deb882cf99', maxLength: 1000 }),
    algorithm: field.choice('Hash function', algorithms),
    dictionary: field.area('Words', { placeholder: 'one word a line', help: `At most ${count(MAX_WORDS)}.` }),
    salt: field.bytes('Salt', { optional: true, line: true, help: 'What is hashed along with the password.' }),
    salt_position: field.choice('Salt stands', positions, { help: 'Before the password or after it.' }),
    rules: field.choice('Variations', ['none', 'simple'], {
      help: 'Capitals, letters as signs, digits and years after the word.',
    }),
    common_passwords: field.flag('Common passwords too', { help: 'Some fifteen hundred, after your own words.' }),
  },

  async *run(question, { now }): AsyncGenerator<Update<Attack>, Attack, void> {
    const target = targetOf(question)
    const { salt, salt_position } = question
    if (salt && salt.length > MAX_SALT_BYTES) {
      throw new Problem('invalid-input', `Salt: expected at most ${MAX_SALT_BYTES} bytes, got ${salt.length}.`, {
        field: 'salt',
      })
    }
    const words = await listOf(question)
    const candidates = explain('dictionary', 'Words', () => wordCandidates(words, question.rules === 'simple'))
    return yield* guess({
      targets: [target],
      candidates,
      maxTrials: MAX_TRIALS,
      salt: salt && { bytes: salt, position: salt_position },
      now,
      stateOf: progress => stateOf(progress, words, candidates, salt !== undefined),
    })
  },

  show({ found, password, how, after, tried, words, candidates, exhausted, salted }): Panel[] {
    const ended = found || exhausted
    return [
      panel.banner(found ? 'bad' : 'neutral', found ? 'The password was found' : 'The password is not in the list', {
        detail: ended
          ? `${count(tried)} hashes were computed.`
          : `The limit of ${count(tried)} hashes ended the search, with ${count(candidates)} passwords to try.`,
      }),
      panel.facts([
        ...(password === null ? [] : [['Password', mono(password, 'bad')] as const]),
        ...(how === undefined ? [] : [['How', how] as const]),
        ...(after === undefined ? [] : [['Found after', `${count(after)} hashes`] as const]),
        ['Words', count(words)],
        ['Passwords made of them', count(candidates)],
      ]),
      panel.note(
        'info',
        salted
          ? 'The salt made lists of ready hashes useless, and a search for each user necessary. It did not make this search slower.'
          : 'Without a salt the same search finds the password of every user who has it, and ready lists of hashes find it at once.',
      ),
    ]
  },

  cost(question) {
    const words = question.dictionary.split('\n').length + (question.common_passwords ? 2000 : 0)
    const trials = Math.min(MAX_TRIALS, words * variationCount(question.rules === 'simple'))
    return { milliseconds: 20 + trials * MILLISECONDS_PER_TRIAL, megabytes: 64 }
  },

  examples: [
    {
      from: 'echo -n sesame | md5sum',
      input: { hash: 'c8dae1c50e092f3d877192fc555b1dcf', dictionary: 'open\nsesame\nplease' },
      result: { found: true, password: 'sesame', after: 2 },
    },
    {
      from: "printf 'NaClDr@g0n2024' | sha256sum",
      title: 'With a salt, and the word changed as people change it',
      input: {
        hash: '61510de8de3de69cc539eee0038d658cd20398e45832c4ec79abfbf427b61a02',
        algorithm: 'SHA256',
        dictionary: 'castle\ndragon\nknight',
        salt: 'NaCl',
        rules: 'simple',
      },
      result: { found: true, password: 'Dr@g0n2024' },
    },
    {
      from: 'echo -n correcthorse | sha1sum',
      title: 'A word that is not in the list',
      input: { hash: '0e4cecb0f76c0600f8fc5995fa087260ba91640b', algorithm: 'SHA1', dictionary: 'open\nsesame' },
      result: { found: false, exhausted: true },
    },
  ],
})

function targetOf({ hash, algorithm }: Question): Target {
  const [target, another] = explain('hash', 'Hash', () => parseTargets(hash, algorithm))
  if (target && !another) return target
  throw new Problem('invalid-input', 'Hash: expected one hash; the hash cracker takes many.', { field: 'hash' })
}

/** The visitor's own words first. */
async function listOf({ dictionary, common_passwords }: Question): Promise<string[]> {
  if (!common_passwords) return wordsOf(dictionary)
  const own = dictionary.trim() === '' ? [] : wordsOf(dictionary)
  return [...new Set([...own, ...(await commonWords())])]
}

function stateOf(
  { found: [hit], tried, exhausted }: CrackProgress,
  words: readonly string[],
  { total }: Candidates,
  salted: boolean,
): Attack {
  return {
    found: hit !== undefined,
    password: hit?.password ?? null,
    ...(hit && { how: hit.how, after: hit.tried }),
    tried,
    words: words.length,
    candidates: total,
    exhausted,
    salted,
  }
}
