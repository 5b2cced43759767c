import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { toHex } from '../bytes.ts'
import { digest, type HashName, hashFunction, hashNames } from './digest.ts'
import { digestLong } from './long.ts'

const MIB = 2 ** 20
const noise = randomBytes(MIB + 300)

/** Functions of which there is nothing compiled. */
const scriptOnly: readonly HashName[] = [
  ...(['SHA-512/224', 'SHA-512/256', 'BLAKE-256', 'BLAKE-512'] as const),
  ...(['RIPEMD-128', 'RIPEMD-256', 'RIPEMD-320'] as const),
]

const compiled = hashNames.filter(name => !scriptOnly.includes(name))

async function equalsScript(name: HashName, message: Uint8Array): Promise<void> {
  const script = toHex((await hashFunction(name))(message))
  assert.equal(toHex(await digest(name, message)), script, `${name}, ${message.length} bytes`)
}

for (const name of compiled) {
  test(`${name}: a message over a mebibyte, inside a buffer, has the hash that the script gives`, () =>
    equalsScript(name, noise.subarray(3, MIB + 131)))
}

test('only functions of which nothing is compiled are left to the script', async () => {
  for (const name of hashNames) {
    const hash = await digestLong(name, noise.subarray(0, 5))
    assert.equal(hash === undefined, scriptOnly.includes(name), name)
  }
})

test('short messages are hashed as well: the length is a matter of speed alone', async () => {
  for (const name of compiled) {
    for (const length of [0, 1, 63, 64, 128, 144]) {
      const message = noise.subarray(0, length)
      const long = (await digestLong(name, message)) ?? assert.fail(name)
      assert.equal(toHex(long), toHex((await hashFunction(name))(message)), `${name}, ${length} bytes`)
    }
  }
})

test('a page without Web Crypto has the same hashes', async (t: TestContext) => {
  t.mock.getter(Object.getPrototypeOf(crypto), 'subtle', () => undefined)
  for (const name of ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'] as const) {
    await equalsScript(name, noise.subarray(0, MIB))
  }
})
