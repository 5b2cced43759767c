import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeCors, type OriginProbe, originProbes } from './cors.ts'

const probes = originProbes('site.test', 'a1b2')
const probe = (name: OriginProbe['name']): OriginProbe => {
  const found = probes.find(each => each.name === name)
  assert.ok(found)
  return found
}
const answer = (origin?: string, credentials?: string) => ({
  url: 'https://site.test/',
  status: 200,
  headers: [
    ...(origin === undefined ? [] : [['access-control-allow-origin', origin] as const]),
    ...(credentials === undefined ? [] : [['Access-Control-Allow-Credentials', credentials] as const]),
  ],
  body: new Uint8Array(),
})

test('the origins are those that careless comparisons let in', () => {
  assert.deepEqual(
    probes.map(({ origin }) => origin),
    ['https://a1b2.example', 'null', 'https://site.test.a1b2.example', 'https://a1b2site.test', 'http://site.test'],
  )
})

for (const { name, origin } of probes) {
  test(`Fetch §3.3: ${name} let in with credentials is a fault, without them none`, () => {
    assert.match(judgeCors(probe(name), answer(origin, 'true')) ?? '', /credentials/)
    assert.equal(judgeCors(probe(name), answer(origin)), undefined)
    assert.equal(judgeCors(probe(name), answer(origin, 'false')), undefined)
  })
}

test('Fetch §3.3.3: "true" in exactly this case', () => {
  assert.equal(judgeCors(probe('any'), answer('https://a1b2.example', 'TRUE')), undefined)
})

test('every origin is a choice; together with credentials it is a mistake', () => {
  assert.equal(judgeCors(probe('any'), answer('*')), undefined)
  assert.match(judgeCors(probe('any'), answer('*', 'true')) ?? '', /browsers refuse/)
})

test('a fixed other origin, or none, is no fault', () => {
  assert.equal(judgeCors(probe('any'), answer('https://partner.test', 'true')), undefined)
  assert.equal(judgeCors(probe('any'), answer(undefined, 'true')), undefined)
})
