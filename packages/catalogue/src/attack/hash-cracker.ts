import { badge, explain, field, mono, panel, raw, sh, type Terminal, tool, type Update } from '@assay/kit'
import { type Candidates, maskCandidates, variationCount, wordCandidates } from '@assay/lib/attack/candidates'
import { type CrackProgress, type HashKind, hashKinds, parseTargets, type Target } from '@assay/lib/attack/crack'
import { commonWords, count, guess, MILLISECONDS_PER_TRIAL, wordsOf } from './guessing.ts'

const modes = ['common passwords', 'wordlist', 'mask'] as const

/** What a run computes unless asked for more, and what a shared server should allow one visitor. */
const DEFAULT_TRIALS = 2_000_000
/** Some ten minutes in a browser. */
const MAX_TRIALS = 1_000_000_000

/** The numbers of hashcat's modes (its wiki page "Example hashes"). */
const hashcatModes: Record<HashKind, number> = { MD5: 0, SHA1: 100, SHA256: 1400, SHA512: 1700, NTLM: 1000, MySQL: 300 }

interface Guess {
  hash: string
  /** The kind that matched, or those that were tried. */
  hash_type: string
  password: string | null
  /** How the guess was made, and how many hashes had been computed by then. */
  how?: string
  after?: number
}
interface Cracking {
  results: Guess[]
  found: number
  hashes: number
  tried: number
  candidates: number
  /** Whether everything there was to try was tried, or the limit ended it. */
  exhausted: boolean
}

interface Question {
  hash_value: string
  hash_type: 'auto' | HashKind
  mode: (typeof modes)[number]
  dictionary: string
  mask: string
  rules: 'simple' | 'none'
  max_trials: number
}

/** Unsalted password hashes, guessed with common passwords, a list of words or a mask. */
export const hashCracker = tool({
  id: 'hash-cracker',
  path: 'hash-cracker',
  title: 'Hash Cracker (wordlist, rules and mask)',
  category: 'attack-demos-and-analysis',
  summary: 'Guess the passwords behind MD5, SHA-1, SHA-256, SHA-512, NTLM and MySQL hashes.',
  keywords: ['crack', 'dictionary attack', 'brute force', 'hashcat', 'john', 'mask', 'wordlist', 'rules', 'ntlm'],
  specs: ['RFC 1320', 'RFC 1321', 'FIPS 180-4', 'MS-NLMP', 'hashcat mask attack'],
  runs: 'anywhere',
  weight: 'crack',
  caution: 'Try it on hashes of your own, or on those whose owner asked you to.',
  fields: {
    hash_value: field.area('Hashes', {
      placeholder: '5f4dcc3b5aa765d61d8327deb882cf99',
      help: 'One a line, in hexadecimal; those of MySQL with their asterisk.',
    }),
    hash_type: field.choice('Kind of hash', ['auto', ...hashKinds]),
    mode: field.choice('What to try', modes),
    dictionary: field.area('Words', {
      default: '',
      placeholder: 'one word a line',
      dependsOn: { field: 'mode', values: ['wordlist'] },
    }),
    mask: field.text('Mask', {
      default: '?l?l?l?l',
      help: '?l small letter, ?u capital, ?d digit, ?s sign, ?a any of them, ?h ?H hexadecimal digit, ?? question mark.',
      dependsOn: { field: 'mode', values: ['mask'] },
    }),
    rules: field.choice('Variations', ['simple', 'none'], {
      help: 'Capitals, letters as signs, digits and years after the word.',
      dependsOn: { field: 'mode', values: ['common passwords', 'wordlist'] },
    }),
    max_trials: field.number('Hashes to compute at most', { min: 1, max: MAX_TRIALS, default: DEFAULT_TRIALS }),
  },

  async *run(question, { now }): AsyncGenerator<Update<Cracking>, Cracking, void> {
    const targets = targetsOf(question)
    const candidates = await candidatesOf(question)
    return yield* guess({
      targets,
      candidates,
      maxTrials: question.max_trials,
      now,
      stateOf: progress => stateOf(progress, targets, candidates),
    })
  },

  show: ({ results, found, hashes, tried, candidates, exhausted }) => [
    panel.banner(found > 0 ? 'bad' : 'neutral', headline(found, hashes), {
      detail:
        found === hashes || exhausted
          ? `${count(tried)} hashes were computed.`
          : `The limit of ${count(tried)} hashes ended the search, with ${count(candidates)} passwords to try.`,
    }),
    panel.table(
      ['Hash', 'Kind', 'Password', 'How', 'After'],
      results.map(({ hash, hash_type, password, how, after }) => [
        mono(hash),
        hash_type,
        password === null ? badge('not found', 'good') : mono(password, 'bad'),
        how ?? '',
        after === undefined ? '' : count(after),
      ]),
      { scroll: true },
    ),
  ],

  terminal({ hash_value, hash_type, mode, mask }, { results }): Terminal | undefined {
    const [first] = results
    const kind = hashKinds.find(name => name === (hash_type === 'auto' ? first?.hash_type : hash_type))
    if (!first || !kind) return undefined
    const hash = results.length === 1 ? sh`${first.hash.replace('*', '')}` : 'hashes.txt'
    const attack = mode === 'mask' ? sh`-a 3 ${raw(hash)} ${mask}` : `-a 0 ${hash} words.txt`
    return hash_value ? { command: `hashcat -m ${hashcatModes[kind]} ${attack}` } : undefined
  },

  cost(question) {
    const kinds = new Set(targetsOf(question).flatMap(target => target.kinds)).size
    const passwords = passwordsOf(question)
    const trials = Math.min(question.max_trials, passwords * kinds)
    return { milliseconds: 20 + trials * MILLISECONDS_PER_TRIAL, megabytes: 64 }
  },

  examples: [
    {
      from: 'echo -n Password1 | md5sum',
      title: 'A common password with a capital and a digit',
      input: { hash_value: '2ac9cb7dc02b3c0083eb70898e549b63', hash_type: 'MD5' },
      result: { found: 1, results: [{ password: 'Password1', hash_type: 'MD5' }] },
    },
    {
      from: 'MS-NLMP §4.2.2.1.2',
      title: 'The NTLM hash of "Password"',
      input: { hash_value: 'a4f49c406510bdcab6824ee7c30fd852' },
      result: { results: [{ password: 'Password', hash_type: 'NTLM' }] },
    },
    {
      from: 'FIPS 180-2 §A.1',
      title: 'Three small letters',
      input: { hash_value: 'a9993e364706816aba3e25717850c26c9cd0d89d', mode: 'mask', mask: '?l?l?l' },
      result: { results: [{ password: 'abc', hash_type: 'SHA1' }] },
    },
    {
      from: 'MariaDB documentation, PASSWORD()',
      title: 'A word of a list',
      input: {
        hash_value: '*3A70EE9FC6594F88CE9E959CD51C5A1C002DC937',
        mode: 'wordlist',
        dictionary: 'open\nnotagoodpwd\nsesame',
      },
      result: { results: [{ password: 'notagoodpwd', hash_type: 'MySQL' }] },
    },
  ],
})

const targetsOf = ({ hash_value, hash_type }: Question): Target[] =>
  explain('hash_value', 'Hashes', () => parseTargets(hash_value, hash_type === 'auto' ? undefined : hash_type))

const candidatesOfMask = (mask: string): Candidates => explain('mask', 'Mask', () => maskCandidates(mask))

/** How many passwords there are to try, before any is made. */
function passwordsOf({ mode, mask, dictionary, rules }: Question): number {
  if (mode === 'common passwords') return Number.POSITIVE_INFINITY
  return mode === 'mask'
    ? candidatesOfMask(mask).total
    : wordsOf(dictionary).length * variationCount(rules === 'simple')
}

async function candidatesOf({ mode, mask, dictionary, rules }: Question): Promise<Candidates> {
  if (mode === 'mask') return candidatesOfMask(mask)
  const words = mode === 'wordlist' ? wordsOf(dictionary) : await commonWords()
  return explain('dictionary', 'Words', () => wordCandidates(words, rules === 'simple'))
}

function stateOf(
  { found, tried, exhausted }: CrackProgress,
  targets: readonly Target[],
  { total }: Candidates,
): Cracking {
  const results = targets.map((target): Guess => {
    const hit = found.find(candidate => candidate.target === target)
    return hit
      ? { hash: target.text, hash_type: hit.kind, password: hit.password, how: hit.how, after: hit.tried }
      : { hash: target.text, hash_type: target.kinds.join(' or '), password: null }
  })
  return { results, found: found.length, hashes: targets.length, tried, candidates: total, exhausted }
}

function headline(found: number, hashes: number): string {
  if (hashes === 1) return found === 1 ? 'The password was found' : 'The password was not found'
  return `${found} of ${hashes} passwords were found`
}
