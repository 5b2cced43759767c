import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { toHex } from '../bytes.ts'
import {
  expectedCoverage,
  generateTable,
  linksOf,
  lookUp,
  passwordSpace,
  type RainbowTable,
  rainbowHashes,
  type TableParameters,
} from './rainbow.ts'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const SMALL: TableParameters = {
  hash: 'MD5',
  charset: LOWER,
  minLength: 1,
  maxLength: 2,
  chainLength: 20,
  chainCount: 60,
}

async function ended<T>(run: AsyncGenerator<number, T, void>): Promise<T> {
  let last = 0
  for (;;) {
    const { done, value } = await run.next()
    if (done) return value
    assert.ok(value >= last && value <= 1, 'the share rises')
    last = value
  }
}
const tableOf = (parameters: TableParameters) => ended(generateTable(parameters, () => 0))
const digestOf = (name: string, text: string) => createHash(name).update(text).digest()

test('passwords are in order, each once, in every length asked for', () => {
  const space = passwordSpace({ charset: 'ab', minLength: 1, maxLength: 3 })
  assert.deepEqual(
    Array.from({ length: space.size }, (_, index) => space.text(index)),
    ['a', 'b', 'aa', 'ab', 'ba', 'bb', 'aaa', 'aab', 'aba', 'abb', 'baa', 'bab', 'bba', 'bbb'],
  )
  assert.equal(passwordSpace({ charset: LOWER, minLength: 1, maxLength: 4 }).size, 475_254)
  assert.equal(passwordSpace({ charset: 'aß€🔑', minLength: 2, maxLength: 2 }).text(15), '🔑🔑')
})

test('spaces that make no sense, or are too large, are refused', () => {
  for (const [charset, minLength, maxLength, message] of [
    ['', 1, 4, /two characters/],
    ['a', 1, 4, /two characters/],
    ['abca', 1, 4, /each character once/],
    ['ab', 4, 3, /not above/],
    [`${LOWER}${LOWER.toUpperCase()}0123456789`, 5, 5, /134217728 passwords, and 62 characters .* 916132832/],
    ['a\ud800', 1, 2, /surrogate/],
  ] as const) {
    assert.throws(() => passwordSpace({ charset, minLength, maxLength }), { name: 'RangeError', message })
  }
})

/** Oechslin's chain written down again with another hash implementation and big integers. */
function chainFrom(table: RainbowTable, name: string, start: number): { end: number; passed: number[] } {
  const passed: number[] = []
  let index = start
  for (let column = 0; column < table.chainLength; column++) {
    passed.push(index)
    const head = BigInt(`0x${digestOf(name, table.space.text(index)).toString('hex').slice(0, 12)}`)
    index = Number((head + BigInt(column)) % BigInt(table.space.size))
  }
  return { end: index, passed }
}

for (const hash of Object.keys(rainbowHashes) as (keyof typeof rainbowHashes)[]) {
  const name = hash.toLowerCase()

  test(`[CTL-124] ${hash}: every end is reproduced from its start, and the coverage is counted right`, async () => {
    const table = await tableOf({ ...SMALL, hash })
    const passed = new Set<number>()
    for (const [chain, start] of table.starts.entries()) {
      const again = chainFrom(table, name, start)
      assert.equal(table.ends[chain], again.end)
      for (const index of again.passed) passed.add(index)
    }
    assert.equal(table.covered, passed.size)
  })

  test(`${hash}: of all passwords exactly the covered ones are found, and each is the right one`, async () => {
    const table = await tableOf({ ...SMALL, hash })
    let found = 0
    for (let index = 0; index < table.space.size; index++) {
      const password = table.space.text(index)
      const result = await ended(lookUp(table, digestOf(name, password), () => 0))
      if (!result.found) continue
      found++
      assert.equal(result.found.password, password)
      const [link] = linksOf(table, result.found.chain, result.found.column, result.found.column + 1)
      assert.equal(link?.password, password, 'the chain holds it in that column')
      assert.equal(toHex(link?.hash ?? new Uint8Array()), digestOf(name, password).toString('hex'))
    }
    assert.equal(found, table.covered)
  })
}

test('a hash of something else is not found, after every column was tried', async () => {
  const table = await tableOf(SMALL)
  const { found, columns } = await ended(lookUp(table, digestOf('md5', 'abc'), () => 0))
  assert.equal(found, undefined)
  assert.equal(columns, 20)
})

test('475254 passwords in 20000 chains of 100: about nine in ten are found, as the theory says', async () => {
  const table = await tableOf({ ...SMALL, maxLength: 4, chainLength: 100, chainCount: 20_000 })
  const coverage = table.covered / table.space.size
  assert.ok(Math.abs(coverage - expectedCoverage(table.space.size, 20_000, 100)) < 0.01, `${coverage}`)
  let found = 0
  for (let i = 0; i < 60; i++) {
    const password = table.space.text(randomInt(table.space.size))
    const result = await ended(lookUp(table, digestOf('md5', password), () => 0))
    if (result.found) {
      assert.equal(result.found.password, password)
      found++
    }
  }
  assert.ok(found >= 42, `${found} of 60, where 54 are expected`)
})

test('more chains than passwords are no more than one for each', async () => {
  const table = await tableOf({ ...SMALL, charset: 'ab', chainCount: 1000, chainLength: 3 })
  assert.equal(table.starts.length, 6)
  assert.equal(table.covered, 6)
})

test('a look-up in a table of one chain of one link', async () => {
  const table = await tableOf({ ...SMALL, chainLength: 1, chainCount: 1 })
  assert.equal((await ended(lookUp(table, digestOf('md5', 'a'), () => 0))).found?.password, 'a')
  assert.equal((await ended(lookUp(table, digestOf('md5', 'b'), () => 0))).found, undefined)
})
