import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Problem, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { csrGenerator } from './csr-generator.ts'

const [action] = csrGenerator.actions
assert.ok(action)
interface Made {
  csr: string
  privateKey?: string
  names: { type: string; value: string }[]
}
const make = async (input: Record<string, unknown>): Promise<Made> =>
  (await performed(action, input, replay())).result as Made

const folder = mkdtempSync(join(tmpdir(), 'csr-'))
after(() => rmSync(folder, { recursive: true }))
const openssl = (input: string, ...args: string[]): string =>
  execFileSync('openssl', args, { input, encoding: 'utf8', cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
/** Fails when the signature does not hold. */
const subjectOf = (csr: string) =>
  openssl(csr, 'req', '-verify', '-noout', '-subject', '-nameopt', 'utf8,sep_comma_plus').trim()

test('[CTL-146] [CTL-147] [CTL-148] [CTL-149] [CTL-150] [CTL-151] [CTL-152] every field is in the subject of the request', async () => {
  const { csr } = await make({
    common_name: 'www.example.com',
    organization: 'Example, Inc.',
    organizational_unit: 'Büro',
    country: 'de',
    state: 'Hessen',
    locality: 'Köln',
    email: 'info@bücher.example',
    keyType: 'Ed25519',
  })
  assert.equal(
    subjectOf(csr),
    'subject=C=DE,ST=Hessen,L=Köln,O=Example, Inc.,OU=Büro,CN=www.example.com,emailAddress=info@xn--bcher-kva.example',
  )
})

for (const keyType of ['RSA', 'ECDSA P-256', 'ECDSA P-384', 'Ed25519']) {
  test(`openssl req -verify accepts the request with a new key of the kind ${keyType}, which belongs to it`, async () => {
    const { csr, privateKey = '' } = await make({ common_name: 'a.example', keyType })
    assert.equal(subjectOf(csr), 'subject=CN=a.example')
    assert.equal(openssl(csr, 'req', '-noout', '-pubkey'), openssl(privateKey, 'pkey', '-pubout'))
  })
}

test('a key of the visitor is used, in any form and also locked, and is not given back', async () => {
  const pem = openssl('', 'genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521')
  const locked = openssl(pem, 'pkey', '-aes-256-cbc', '-passout', 'pass:geheim')
  const der = execFileSync('openssl', ['pkey', '-outform', 'DER'], { input: pem }).toString('base64')
  for (const [privateKey, passphrase] of [[pem], [locked, 'geheim'], [der]] as const) {
    const made = await make({ common_name: 'a.example', privateKey, passphrase })
    assert.equal(made.privateKey, undefined)
    assert.equal(openssl(made.csr, 'req', '-verify', '-noout', '-pubkey'), openssl(pem, 'pkey', '-pubout'))
  }
  await assert.rejects(make({ common_name: 'a', privateKey: locked }), { field: 'passphrase' })
  await assert.rejects(make({ common_name: 'a', privateKey: locked, passphrase: 'x' }), { field: 'passphrase' })
})

test('a passphrase locks a new key', async () => {
  const { privateKey = '' } = await make({ common_name: 'a', keyType: 'Ed25519', passphrase: 'geheim' })
  assert.match(openssl(privateKey, 'pkey', '-passin', 'pass:geheim', '-noout', '-text'), /ED25519 Private-Key/)
})

test('the command of the terminal asks for the same', async () => {
  const input = { common_name: 'a.example', country: 'DE', san: '*.b.example, ::1', keyType: 'ECDSA P-384' }
  const { input: read, result } = await performed(action, input, replay())
  const { command } = action.terminal?.(read, result) ?? { command: 'false' }
  execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'ignore' })
  const head = (text: string) =>
    text.split('Subject Public Key Info')[0] + (/Alternative Name:.*\n.*/.exec(text)?.[0] ?? '')
  const theirs = openssl('', 'req', '-in', 'request.csr', '-noout', '-text')
  assert.equal(head(openssl((result as Made).csr, 'req', '-noout', '-text')), head(theirs))
})

for (const [input, field] of [
  [{}, 'common_name'],
  [{ common_name: 'a..b' }, 'common_name'],
  [{ common_name: 'a', country: 'Germany' }, 'country'],
  [{ common_name: 'a', email: 'nobody' }, 'email'],
  [{ common_name: 'a', san: 'f*o.example' }, 'san'],
  [{ common_name: 'a', state: 'x'.repeat(129) }, 'state'],
  [{ common_name: 'a', locality: 'a\nb' }, 'locality'],
  [{ common_name: 'a', privateKey: 'no key' }, 'privateKey'],
  [{ common_name: 'a', privateKey: openssl('', 'genpkey', '-algorithm', 'X25519') }, 'privateKey'],
  [{ common_name: 'a', privateKey: openssl('', 'ecparam', '-genkey', '-noout', '-name', 'secp256k1') }, 'privateKey'],
] as const) {
  test(`refused: ${JSON.stringify(input).slice(0, 60)}`, async () => {
    await assert.rejects(make(input), (error: unknown) => error instanceof Problem && error.field === field)
  })
}
