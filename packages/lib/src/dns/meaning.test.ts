import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mxLints, soaLints } from './lint.ts'
import { mailbox, meaningOf } from './meaning.ts'
import { parseZone } from './zone.ts'

const meaning = (line: string) => parseZone(`x.test. 60 ${line}`).map(meaningOf)[0]

for (const [line, words] of [
  ['MX 0 .', /null MX/],
  ['MX 10 mail.x.test.', undefined],
  ['SRV 0 0 0 .', /not offered/],
  ['TXT "a" "b"', /2 strings/],
  ['TXT "a"', undefined],
  ['CAA 0 issue "ca.example"', /^ca\.example may issue certificates$/],
  ['CAA 0 issue ";"', /^nobody may issue certificates$/],
  ['CAA 128 issuewild "ca.example; policy=ev"', /^ca\.example may issue wildcard certificates \(critical\)$/],
  ['CAA 0 iodef "mailto:a@x.test"', /reported to mailto/],
  ['CAA 128 tbs "x"', /unknown critical/],
  ['DS 60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118', /^for key tag 60485, RSA\/SHA-1, SHA-1$/],
  ['A 192.0.2.1', undefined],
] as const) {
  test(`${line} ${words ? 'is explained' : 'speaks for itself'}`, () => {
    const said = meaning(line)
    if (words) assert.match(said ?? '', words)
    else assert.equal(said, undefined)
  })
}

test('RFC 1035 §8: the first dot that is not escaped is the at sign', () => {
  assert.equal(mailbox('Action\\.domains.ISI.EDU.'), 'Action.domains@ISI.EDU')
  assert.equal(mailbox('hostmaster.example.com.'), 'hostmaster@example.com')
  assert.equal(mailbox('.'), '.')
})

const soa = { mname: 'a.', rname: 'b.', serial: 1, refresh: 86400, retry: 7200, expire: 1_209_600, minimum: 3600 }
const faults = (changed: Partial<typeof soa>) =>
  soaLints({ ...soa, ...changed })
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ name }) => name)

test('RFC 1912 §2.2, RFC 2308 §5: SOA timers at and beyond their limits', () => {
  assert.deepEqual(faults({}), [])
  assert.deepEqual(faults({ refresh: 14_400 }), [])
  assert.deepEqual(faults({ refresh: 14_399 }), ['SOA refresh'])
  assert.deepEqual(faults({ retry: 3_599 }), ['SOA retry'])
  assert.deepEqual(faults({ retry: 86_400 }), ['SOA retry below refresh'])
  assert.deepEqual(faults({ expire: 604_799 }), ['SOA expire'])
  assert.deepEqual(faults({ minimum: 299 }), ['SOA minimum'])
  assert.deepEqual(faults({ minimum: 300 }), [])
  assert.deepEqual(faults({ minimum: 86_401 }), ['SOA minimum'])
})

test('RFC 7505 §3, RFC 5321 §5.1: a null MX among others, and an address in place of a name', () => {
  const lint = (zone: string) => mxLints(parseZone(zone)).map(({ name }) => name)
  assert.deepEqual(lint('x. 1 MX 0 .'), [])
  assert.deepEqual(lint('x. 1 MX 0 .\nx. 1 MX 5 m.x.'), ['Null MX stands alone'])
  assert.deepEqual(lint('x. 1 MX 5 192.0.2.1.'), ['MX names a host'])
})
