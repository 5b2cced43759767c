import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gradeFloors, gradeOf, judgeTls, strengthOf, type TlsFacts } from './judge.ts'
import { suiteOf } from './suites.ts'

const names = ['SSLv2', 'SSLv3', 'TLSv1.0', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3']
const versions = (accepted: Record<string, number[]>): TlsFacts['versions'] =>
  names.map(name => ({ name, supported: name in accepted, suites: accepted[name] ?? [] }))

const good: TlsFacts = {
  versions: versions({ 'TLSv1.2': [0xc02b, 0xc02f], 'TLSv1.3': [0x1301] }),
  groups: [{ code: 29 }],
  primeBits: null,
  features: {
    compression: false,
    secureRenegotiation: true,
    extendedMainSecret: true,
    fallbackSignal: true,
    greaseTolerance: true,
  },
  trust: { checked: true },
  certificateFaults: [],
  faults: [],
}
const score = (changes: Partial<TlsFacts>) => gradeOf(judgeTls({ ...good, ...changes }))
const points = (changes: Partial<TlsFacts>) =>
  judgeTls({ ...good, ...changes }).flatMap(({ name, points }) => (points ? [[name, points]] : []))

test('RFC 9325: TLS 1.2 and 1.3 with forward secrecy and AEAD have all points', () => {
  assert.deepEqual(score({}), { grade: 'A', score: 100 })
  assert.deepEqual(points({}), [])
})

test('RFC 8996 §4, §5, RFC 7568 §3, RFC 6176 §3: each old version costs its points', () => {
  const old = (name: string) => points({ versions: versions({ [name]: [], 'TLSv1.2': [0xc02f], 'TLSv1.3': [0x1301] }) })
  assert.deepEqual(old('TLSv1.1'), [['TLS 1.1 is off', 10]])
  assert.deepEqual(old('TLSv1.0'), [['TLS 1.0 is off', 15]])
  assert.deepEqual(old('SSLv3'), [['SSL 3.0 is off', 40]])
  assert.deepEqual(old('SSLv2'), [['SSL 2.0 is off', 60]])
})

test('RFC 9325 §4.1: what is weak among the suites', () => {
  const tls12 = (...suites: number[]) => points({ versions: versions({ 'TLSv1.2': suites, 'TLSv1.3': [0x1301] }) })
  assert.deepEqual(tls12(0xc02f, 0x009c), [['Forward secrecy', 10]])
  assert.deepEqual(tls12(0xc02f, 0xc012), [['No Triple DES', 10]])
  assert.deepEqual(tls12(0xc02f, 0xc010), [['No suites without encryption', 40]])
  assert.deepEqual(tls12(0xc02f, 0xc018), [['No suites without authentication', 40]])
  assert.deepEqual(tls12(0xc02f, 0xc011), [['No RC4', 30]])
  assert.deepEqual(tls12(0xc02f, 0x0015), [['No keys under 112 bits', 40]])
  assert.deepEqual(points({ versions: versions({ 'TLSv1.2': [0x003c] }) }), [
    ['TLS 1.3', 5],
    ['Forward secrecy', 25],
    ['Authenticated encryption', 10],
  ])
})

test('RFC 9325 §4.5: primes under 2048 bits', () => {
  assert.deepEqual(points({ primeBits: 2048 }), [])
  assert.deepEqual(points({ primeBits: 1024 }), [['Diffie-Hellman prime', 20]])
  assert.deepEqual(points({ primeBits: 768 }), [['Diffie-Hellman prime', 40]])
})

test('what could not be told costs nothing and is not called good', () => {
  const silent = { ...good, versions: good.versions.map(one => ({ ...one, supported: one.supported || null })) }
  const findings = judgeTls({ ...silent, trust: { checked: false, problem: 'no answer' } })
  assert.deepEqual(gradeOf(findings), { grade: 'A', score: 100 })
  assert.equal(findings.filter(({ verdict }) => verdict === 'unknown').length, 5)
})

test('the score is 100 less all points, and never under 0', () => {
  const bad = {
    versions: versions({ SSLv2: [], SSLv3: [0x0003] }),
    trust: { checked: true, problem: 'It has expired.' },
  }
  assert.deepEqual(score(bad), { grade: 'F', score: 0 })
  for (const [grade, floor] of gradeFloors) {
    const finding = { name: 'x', verdict: 'fail', detail: '', points: 100 - floor } as const
    assert.deepEqual(gradeOf([finding]), { grade, score: floor })
  }
})

test('strength of suites', () => {
  assert.deepEqual(
    [0x1301, 0xc02f, 0xc013, 0x009c, 0xc012, 0x0005, 0xc018, 0x0002].map(code => {
      const suite = suiteOf(code)
      return suite && strengthOf(suite)
    }),
    ['strong', 'strong', 'acceptable', 'weak', 'weak', 'insecure', 'insecure', 'insecure'],
  )
})
