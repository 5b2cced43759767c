import { action, field, mono, Problem, panel, tool } from '@assay/kit'
import { type Bytes, toBase64, toHex } from '@assay/lib/bytes'
import { explained } from './explained.ts'
import { keyPanels } from './key-file.ts'

const encoding = field.choice('Encoding', ['Base64', 'Hex'], {
  help: 'How the results are written; keys are read in both, and in PEM, DER and JWK.',
})
type Encoding = 'Base64' | 'Hex'
const privateHelp = 'The 32 bytes, or PEM, DER or JWK.'

export const SMALL_ORDER =
  'The public key is a point of small order: with it every private key gives zero, so everybody knows the result.'

/** RFC 7748 §6.1 */
const alice = '77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a'
const alicePublic = '8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a'
const bob = '5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb'
const bobPublic = 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f'
const shared = '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742'

/** Key pairs and secrets on Curve25519. RFC 7748 §6.1, RFC 8410. */
export const x25519 = tool({
  id: 'x25519',
  path: 'x25519',
  title: 'X25519 Key Pair and Shared Secret',
  category: 'digital-signatures-and-key-management',
  summary: 'Make an X25519 key pair, and compute the secret that it shares with another one.',
  keywords: ['curve25519', 'wireguard', 'wg genkey', 'wg pubkey', 'diffie-hellman', 'key exchange', 'montgomery'],
  specs: ['RFC 7748', 'RFC 8410', 'RFC 8037'],
  runs: 'anywhere',
  actions: {
    generate: action({
      title: 'X25519 Key Pair',
      summary: 'A new X25519 key pair as bytes, PEM and JWK, or the public key of a private one.',
      fields: {
        encoding,
        privateKey: field.text('Private key', {
          optional: true,
          secret: true,
          takes: ['private-key'],
          help: `Leave it empty for a new one. ${privateHelp}`,
        }),
      },
      async run({ encoding, privateKey }, { random }) {
        const key = await privateOf(privateKey ?? toHex(random(32)))
        const [{ writePkcs8 }, { writeSpki }, { toPem }, jwk] = await Promise.all([
          import('@assay/lib/key/pkcs8'),
          import('@assay/lib/key/spki'),
          import('@assay/lib/asn1/pem'),
          import('@assay/lib/key/jwk'),
        ])
        return {
          privateKey: written(key.bytes, encoding),
          publicKey: written(key.publicKey.bytes, encoding),
          encoding,
          private_pem: toPem('PRIVATE KEY', writePkcs8({ type: key.type, bytes: key.bytes })),
          public_pem: toPem('PUBLIC KEY', writeSpki(key.publicKey)),
          private_jwk: jwk.writePrivateJwk(key),
          public_jwk: jwk.writePublicJwk(key.publicKey),
          generated: privateKey === undefined,
        }
      },
      show: result => [
        panel.banner('good', result.generated ? 'A new X25519 key pair' : 'The public key of your private key'),
        panel.facts([
          ['Private key', mono(result.privateKey)],
          ['Public key', mono(result.publicKey)],
        ]),
        ...keyPanels('Private key in PEM', result.private_pem, 'private.pem'),
        ...keyPanels('Public key in PEM', result.public_pem, 'public.pem'),
        ...keyPanels('Private JWK', JSON.stringify(result.private_jwk, null, 2), 'private.json'),
      ],
      terminal: ({ privateKey }) =>
        privateKey === undefined
          ? { command: 'openssl genpkey -algorithm X25519 -out private.pem && openssl pkey -in private.pem -pubout' }
          : { command: 'openssl pkey -in private.pem -pubout' },
      cost: () => ({ milliseconds: 20, megabytes: 16 }),
      examples: [
        {
          from: 'RFC 7748 §6.1',
          title: 'The public key of Alice',
          input: { encoding: 'Hex', privateKey: alice },
          result: { publicKey: alicePublic, generated: false },
        },
        {
          from: 'RFC 7748 §6.1',
          title: 'The public key of Bob in Base64, as WireGuard writes it',
          input: { privateKey: bob },
          result: { publicKey: '3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08=' },
        },
        { from: 'RFC 7748 §6.1', title: 'A new pair', input: {}, result: { generated: true, encoding: 'Base64' } },
      ],
    }),

    derive: action({
      title: 'X25519 Shared Secret',
      summary: 'The secret that your private key and the public key of the other side have in common.',
      fields: {
        encoding,
        privateKey: field.text('Your private key', { secret: true, takes: ['private-key'], help: privateHelp }),
        publicKey: field.text('Public key of the other side', { takes: ['public-key'], help: privateHelp }),
      },
      async run({ encoding, privateKey, publicKey }) {
        const { readAgreementPublicKey, sharedSecret } = await import('@assay/lib/key/agreement')
        const own = await privateOf(privateKey)
        const secret = await explained('publicKey', 'Public key of the other side', async () => {
          const { key } = await readAgreementPublicKey(publicKey, 'X25519')
          return { ...(await sharedSecret(own, key)), other: key }
        })
        const { digest } = await import('@assay/lib/hash/digest')
        return {
          shared_secret: written(secret.bytes, encoding),
          all_zero: secret.zero,
          encoding,
          own_public_key: written(own.publicKey.bytes, encoding),
          secret_sha256: toHex(await digest('SHA-256', secret.bytes)),
        }
      },
      show: result => [
        result.all_zero
          ? panel.banner('bad', 'The secret is all zeros', {
              badge: 'NOT SECRET',
              detail: `${SMALL_ORDER} RFC 7748 §6.1 lets you stop here, and you should.`,
            })
          : panel.banner('good', 'A shared secret'),
        panel.facts([
          ['Shared secret', mono(result.shared_secret)],
          ['Your public key', mono(result.own_public_key)],
          ['SHA-256 of the secret', mono(result.secret_sha256)],
        ]),
        panel.note(
          'info',
          'Derive keys from the secret, with HKDF for example, and put both public keys into the info.',
        ),
      ],
      terminal: () => ({ command: 'openssl pkeyutl -derive -inkey private.pem -peerkey public.pem | base64' }),
      cost: () => ({ milliseconds: 20, megabytes: 16 }),
      examples: [
        {
          from: 'RFC 7748 §6.1',
          title: 'As Alice sees it',
          input: { encoding: 'Hex', privateKey: alice, publicKey: bobPublic },
          result: { shared_secret: shared, all_zero: false, own_public_key: alicePublic },
        },
        {
          from: 'RFC 7748 §6.1',
          title: 'As Bob sees it',
          input: { encoding: 'Hex', privateKey: bob, publicKey: alicePublic },
          result: { shared_secret: shared, own_public_key: bobPublic },
        },
        {
          from: 'RFC 7748 §6.1',
          title: 'A public key of small order',
          input: { encoding: 'Hex', privateKey: alice, publicKey: '00'.repeat(32) },
          result: { shared_secret: '00'.repeat(32), all_zero: true },
        },
      ],
    }),
  },
})

const written = (bytes: Bytes, encoding: Encoding): string => (encoding === 'Hex' ? toHex(bytes) : toBase64(bytes))

async function privateOf(text: string) {
  const { readAgreementPrivateKey } = await import('@assay/lib/key/agreement')
  const key = await explained('privateKey', 'Private key', () => readAgreementPrivateKey(text, 'X25519'))
  const { publicKey } = key
  if (key.type === 'X25519' && publicKey.type === 'X25519') return { type: key.type, bytes: key.bytes, publicKey }
  throw new Problem('invalid-input', 'Private key: this key is on another curve, and X25519 takes its own.', {
    field: 'privateKey',
  })
}
