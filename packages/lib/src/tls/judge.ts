/**
 * What is right and wrong with how a server speaks TLS, after RFC 8996 and RFC 9325, and a grade that anyone can add up:
 * 100, less the points of each finding. A rule that is a MUST costs more than a SHOULD; what lets a stranger read or
 * forge costs most. Nothing is added for what is good, and nothing is capped but at 0.
 */
import { groupOf } from './registry.ts'
import { type Suite, suiteOf } from './suites.ts'

export interface TlsFacts {
  versions: readonly { name: string; supported: boolean | null; suites: readonly number[] }[]
  groups: readonly { code: number }[]
  primeBits: number | null
  features: {
    compression: boolean | null
    secureRenegotiation: boolean | null
    extendedMainSecret: boolean | null
    fallbackSignal: boolean | null
    greaseTolerance: boolean | null
  }
  trust: { checked: boolean; problem?: string }
  /** What is wrong with the certificate by itself, in words. */
  certificateFaults: readonly string[]
  /** How the chain was sent, where that is known. */
  chainFault?: string | undefined
  faults: readonly string[]
}

export interface TlsFinding {
  name: string
  verdict: 'pass' | 'fail' | 'warn' | 'not-applicable' | 'unknown'
  detail: string
  clause?: string
  /** Taken off 100. */
  points: number
}

/** From how many points on each grade is given. */
export const gradeFloors = [
  ['A', 90],
  ['B', 80],
  ['C', 65],
  ['D', 50],
  ['F', 0],
] as const
export type Grade = (typeof gradeFloors)[number][0]

const FULL = 100
/** RFC 9325 §4.5 and NIST SP 800-57 Part 1. */
const LEAST_PRIME_BITS = 2_048
const BROKEN_PRIME_BITS = 1_024
const LEAST_GROUP_BITS = 100

export function gradeOf(findings: readonly TlsFinding[]): { grade: Grade; score: number } {
  const score = Math.max(0, FULL - findings.reduce((sum, { points }) => sum + points, 0))
  return { grade: gradeFloors.find(([, floor]) => score >= floor)?.[0] ?? 'F', score }
}

export type SuiteStrength = 'strong' | 'acceptable' | 'weak' | 'insecure'

/** RFC 9325 §4.1 and §4.2. */
export function strengthOf({ encryption, authentication, bits, forwardSecrecy }: Suite): SuiteStrength {
  if (encryption === 'NULL' || encryption === 'RC4' || authentication === 'anon' || bits < 112) return 'insecure'
  if (!forwardSecrecy || bits < 128) return 'weak'
  return encryption === 'AEAD' ? 'strong' : 'acceptable'
}

export function judgeTls(facts: TlsFacts): TlsFinding[] {
  return [...versionFindings(facts), ...suiteFindings(facts), ...exchangeFindings(facts), ...otherFindings(facts)]
}

type Verdict = Pick<TlsFinding, 'verdict' | 'detail' | 'points'>
const pass = (detail: string): Verdict => ({ verdict: 'pass', detail, points: 0 })
const fail = (points: number, detail: string): Verdict => ({ verdict: 'fail', detail, points })
const warn = (points: number, detail: string): Verdict => ({ verdict: 'warn', detail, points })
const unknown = (detail: string): Verdict => ({ verdict: 'unknown', detail, points: 0 })

const old: readonly (readonly [name: string, title: string, points: number, clause: string])[] = [
  ['SSLv2', 'SSL 2.0 is off', 60, 'RFC 6176 §3'],
  ['SSLv3', 'SSL 3.0 is off', 40, 'RFC 7568 §3'],
  ['TLSv1.0', 'TLS 1.0 is off', 15, 'RFC 8996 §4'],
  ['TLSv1.1', 'TLS 1.1 is off', 10, 'RFC 8996 §5'],
]

function versionFindings({ versions }: TlsFacts): TlsFinding[] {
  const supported = (name: string) => versions.find(one => one.name === name)?.supported ?? null
  const told = (name: string, off: Verdict, on: Verdict): Verdict => {
    const state = supported(name)
    if (state === null) return unknown('The server did not answer, so this could not be told.')
    return state ? on : off
  }
  const modern = supported('TLSv1.2') || supported('TLSv1.3')
  return [
    ...old.map(([name, title, points, clause]) => ({
      name: title,
      clause,
      ...told(name, pass('It is not accepted.'), fail(points, 'It is accepted, and may not be negotiated any more.')),
    })),
    ...(modern
      ? []
      : [
          {
            name: 'TLS 1.2 or newer',
            clause: 'RFC 9325 §3.1.1',
            ...fail(40, 'Neither TLS 1.2 nor 1.3 is accepted: browsers of today do not connect.'),
          },
        ]),
    {
      name: 'TLS 1.3',
      clause: 'RFC 9325 §3.1.1',
      ...told('TLSv1.3', warn(5, 'It is not accepted.'), pass('It is accepted.')),
    },
  ]
}

function suiteFindings({ versions }: TlsFacts): TlsFinding[] {
  const accepted = new Set(versions.flatMap(({ name, suites }) => (name === 'SSLv2' ? [] : suites)))
  const all = [...accepted].flatMap(code => suiteOf(code) ?? [])
  const list = (wanted: (suite: Suite) => boolean) => all.filter(wanted)
  const count = (found: readonly Suite[]) => `${found.length} of ${all.length} suites, such as ${found[0]?.name}.`
  const none = (name: string, clause: string, found: readonly Suite[], points: number): TlsFinding => ({
    name,
    clause,
    ...(found.length ? fail(points, count(found)) : pass('None is accepted.')),
  })
  const forward = list(({ forwardSecrecy }) => forwardSecrecy)
  const without = list(({ forwardSecrecy, authentication }) => !forwardSecrecy && authentication !== 'anon')
  const aead = list(({ encryption }) => encryption === 'AEAD')
  const triple = list(({ bits }) => bits === 112)
  return [
    none(
      'No suites without encryption',
      'RFC 9325 §4.1',
      list(({ encryption }) => encryption === 'NULL'),
      40,
    ),
    none(
      'No suites without authentication',
      'RFC 5246 §A.5',
      list(({ authentication }) => authentication === 'anon'),
      40,
    ),
    none(
      'No RC4',
      'RFC 7465 §2',
      list(({ encryption }) => encryption === 'RC4'),
      30,
    ),
    none(
      'No keys under 112 bits',
      'RFC 9325 §4.1',
      list(({ bits, encryption }) => encryption !== 'NULL' && bits < 112),
      40,
    ),
    {
      name: 'No Triple DES',
      clause: 'RFC 9325 §4.1',
      ...(triple.length ? warn(10, count(triple)) : pass('None is accepted.')),
    },
    {
      name: 'Forward secrecy',
      clause: 'RFC 9325 §4.1',
      ...(forward.length === 0
        ? fail(25, 'No suite has it: who gets the key later can read everything recorded before.')
        : without.length
          ? warn(10, `Not with ${count(without)}`)
          : pass('Every suite has it.')),
    },
    {
      name: 'Authenticated encryption',
      clause: 'RFC 9325 §4.2',
      ...(aead.length ? pass(`${aead.length} of ${all.length} suites.`) : warn(10, 'No suite has it, only CBC.')),
    },
  ]
}

function exchangeFindings({ groups, primeBits }: TlsFacts): TlsFinding[] {
  const known = groups.flatMap(({ code }) => groupOf(code) ?? [])
  const weak = known.filter(({ bits }) => bits < LEAST_GROUP_BITS)
  const hybrid = known.filter(({ kind }) => kind === 'hybrid')
  return [
    ...(primeBits === null
      ? []
      : [
          {
            name: 'Diffie-Hellman prime',
            clause: 'RFC 9325 §4.5',
            ...(primeBits >= LEAST_PRIME_BITS
              ? pass(`${primeBits} bits.`)
              : fail(
                  primeBits < BROKEN_PRIME_BITS ? 40 : 20,
                  `${primeBits} bits, and ${LEAST_PRIME_BITS} are the least.`,
                )),
          },
        ]),
    ...(weak.length
      ? [
          {
            name: 'Groups',
            clause: 'RFC 9325 §4.5',
            ...warn(10, `Too small: ${weak.map(({ name }) => name).join(', ')}.`),
          },
        ]
      : []),
    {
      name: 'Key exchange against quantum computers',
      verdict: hybrid.length ? 'pass' : 'not-applicable',
      detail: hybrid.length ? `${hybrid.map(({ name }) => name).join(', ')}.` : 'Not offered yet, which costs nothing.',
      points: 0,
    },
  ]
}

function otherFindings(facts: TlsFacts): TlsFinding[] {
  const { features, trust, certificateFaults, chainFault, faults } = facts
  const before13 = facts.versions.some(({ name, supported }) => name !== 'TLSv1.3' && name !== 'SSLv2' && supported)
  const flag = (value: boolean | null, good: boolean, on: Verdict, off: Verdict): Verdict =>
    value === null ? unknown('This could not be told.') : value === good ? on : off
  return [
    ...(before13
      ? [
          {
            name: 'No compression',
            clause: 'RFC 9325 §3.3',
            ...flag(
              features.compression,
              false,
              pass('It is off.'),
              fail(20, 'It is on, and gives secrets away (CRIME).'),
            ),
          },
          {
            name: 'Secure renegotiation',
            clause: 'RFC 5746 §3.6',
            ...flag(features.secureRenegotiation, true, pass('It is announced.'), fail(15, 'It is not announced.')),
          },
          {
            name: 'Extended main secret',
            clause: 'RFC 7627 §5',
            ...flag(features.extendedMainSecret, true, pass('It is used.'), warn(5, 'It is not used.')),
          },
        ]
      : []),
    ...(features.fallbackSignal === false
      ? [{ name: 'Forced fallback is refused', clause: 'RFC 7507 §3', ...warn(5, 'A forced fallback goes unnoticed.') }]
      : []),
    {
      name: 'Unknown values are passed over',
      clause: 'RFC 8701 §2',
      ...flag(features.greaseTolerance, true, pass('They are.'), warn(5, 'They end the handshake.')),
    },
    {
      name: 'The certificate is trusted',
      clause: 'RFC 5280 §6.1',
      ...(trust.checked
        ? trust.problem
          ? fail(40, trust.problem)
          : pass('Chain, dates and name hold.')
        : unknown(trust.problem ?? 'No version of TLS was left to ask with.')),
    },
    ...certificateFaults.map(detail => ({ name: 'Certificate', clause: 'RFC 9325 §4.5', ...fail(20, detail) })),
    ...(chainFault ? [{ name: 'Order of the chain', clause: 'RFC 5246 §7.4.2', ...warn(5, chainFault) }] : []),
    ...faults.map(detail => ({ name: 'Rules of the protocol', ...warn(5, `Broken: ${detail}.`) })),
  ]
}
