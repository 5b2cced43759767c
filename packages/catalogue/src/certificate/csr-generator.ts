import { asFieldProblem, field, mono, Problem, panel, tool } from '@assay/kit'
import { toPem } from '@assay/lib/asn1/pem'
import { visible } from '@assay/lib/x509/text'
import {
  costOfKey,
  keyFields,
  namesFrom,
  newKeyOptions,
  newPair,
  type Pair,
  pemPanels,
  privatePem,
  sanField,
  subjectOptions,
  whole,
} from './new-key.ts'

const rfc8410Key = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----`
/** What openssl req of OpenSSL 3.0 makes with it. */
const rfc8410Request = `-----BEGIN CERTIFICATE REQUEST-----
MIHmMIGZAgEAMDkxCzAJBgNVBAYTAkRFMRAwDgYDVQQKDAdFeGFtcGxlMRgwFgYD
VQQDDA93d3cuZXhhbXBsZS5jb20wKjAFBgMrZXADIQAZv0QJaYTN/oVBusFn3DuW
yFCGqjC2tssMXDitcDFm4aAtMCsGCSqGSIb3DQEJDjEeMBwwGgYDVR0RBBMwEYIP
d3d3LmV4YW1wbGUuY29tMAUGAytlcANBAFYuMn8soMkmHTmd3m7dH5UeOmOPFiqM
zBFfaDShOp9npuWCeA2q8Fs3MO+6ySA9v0gqih9N/QLvS8DQk8A8fAw=
-----END CERTIFICATE REQUEST-----
`

/** Characters of a private key of 2048 bits in PEM; the work grows with the cube of the size. */
const PEM_2048 = 1700

/** Certificate requests. RFC 2986, RFC 2985 §5.4. */
export const csrGenerator = tool({
  id: 'csr-generator',
  path: 'csr-generator',
  title: 'CSR Generator',
  category: 'certificate-and-pki-tools',
  summary: 'A certificate signing request for an authority, with a new private key or with yours.',
  keywords: ['certificate signing request', 'pkcs10', 'p10', 'openssl req', 'ssl order', 'private key', 'san'],
  specs: ['RFC 2986', 'RFC 2985', 'RFC 5280', 'RFC 5958'],
  runs: 'anywhere',
  fields: {
    common_name: field.text('Common name', {
      placeholder: 'www.example.com',
      help: 'The host the certificate is for.',
    }),
    organization: field.text('Organization', { optional: true, placeholder: 'Example Inc.' }),
    organizational_unit: field.text('Organizational unit', {
      optional: true,
      help: 'Public authorities no longer put it into certificates.',
    }),
    country: field.text('Country', { optional: true, placeholder: 'US', help: 'Two letters (ISO 3166-1).' }),
    state: field.text('State or province', { optional: true }),
    locality: field.text('Locality', { optional: true, placeholder: 'A town' }),
    email: field.email('E-mail', { optional: true, help: 'Goes into the subject, as openssl req does it.' }),
    san: sanField,
    ...keyFields,
    privateKey: field.area('Your own private key', {
      optional: true,
      secret: true,
      placeholder: '-----BEGIN PRIVATE KEY-----',
      takes: ['private-key'],
      help: 'In place of a new one: PEM, JWK, OpenSSH, or DER in Base64 or hexadecimal. Key type and size do not count then.',
    }),
    passphrase: field.password('Passphrase', {
      optional: true,
      help: 'Opens your own key, or locks the new one.',
    }),
  },
  async run({ san, keyType, key_size, privateKey, passphrase, ...fields }, { random, signal }) {
    const { subject, altNames } = await namesFrom(fields, san, 'Server')
    if (subject.length === 2 && !altNames.length) {
      throw new Problem('invalid-input', 'Please enter a common name, such as www.example.com.', {
        field: 'common_name',
      })
    }
    const own = privateKey?.trim() ? await ownPair(privateKey, passphrase) : undefined
    const pair = own ?? (await newPair(keyType, key_size, random))
    signal.throwIfAborted()
    const [{ createRequest }, { describeKey, fingerprints }, { readName }, { Reader }, { signerFor }] =
      await Promise.all([
        import('@assay/lib/x509/builder'),
        import('@assay/lib/key/fingerprint'),
        import('@assay/lib/x509/name'),
        import('@assay/lib/asn1/der'),
        import('@assay/lib/sign/signer'),
      ])
    const signer = await refused('privateKey', 'Private key', () => signerFor(pair.key))
    const bytes = await refused('privateKey', 'Private key', () => createRequest({ ...pair, subject, altNames }))
    return {
      csr: toPem('CERTIFICATE REQUEST', bytes),
      ...(!own && { privateKey: await privatePem(pair.key, passphrase, random) }),
      subject: readName(new Reader(subject), 'the subject').text,
      names: altNames,
      key: describeKey(pair.publicKey),
      key_from: own ? 'your own key' : 'a new key',
      signature: signer.name,
      encrypted: !own && passphrase !== undefined,
      fingerprints: await fingerprints(pair.publicKey),
    }
  },
  show: result => [
    panel.banner('good', visible(result.subject) || visible(result.names[0]?.value ?? ''), {
      badge: 'REQUEST',
      detail: `${result.key}, ${result.key_from}, signed with ${result.signature}`,
    }),
    ...pemPanels('Request, for the authority', result.csr, 'request.csr'),
    ...(result.privateKey
      ? [
          ...pemPanels(
            result.encrypted ? 'Private key, locked, for you alone' : 'Private key, for you alone',
            result.privateKey,
            'private.pem',
          ),
          panel.note('warn', 'Keep the private key: nobody has a copy, and the certificate is of no use without it.'),
        ]
      : []),
    panel.facts([
      ['Names', result.names.length ? mono(result.names.map(({ value }) => visible(value)).join(', ')) : 'none'],
      ['SHA-256 of the public key', mono(result.fingerprints.spki_sha256)],
      ['Pin (RFC 7469)', mono(result.fingerprints.pin_sha256)],
    ]),
    ...(result.names.length
      ? []
      : [
          panel.note('warn', 'The common name is no host and there are no alternative names: no browser will take it.'),
        ]),
  ],
  terminal({ privateKey, keyType, key_size, passphrase, san: _, ...fields }, { names }) {
    const key = privateKey?.trim() ? '-key private.pem' : newKeyOptions({ keyType, key_size, passphrase })
    return { command: `openssl req -new ${key} ${subjectOptions(fields, names)} -out request.csr` }
  },
  cost: ({ keyType, key_size, privateKey, passphrase }) =>
    privateKey
      ? { milliseconds: 50 + 30 * (privateKey.length / PEM_2048) ** 3 + (passphrase ? 300 : 0), megabytes: 32 }
      : costOfKey({ keyType, key_size }, passphrase !== undefined),
  examples: [
    {
      from: 'OpenSSL 3.0.19, with the key of RFC 8410 §10.3',
      title: 'For the key of the document; Ed25519 always gives the same signature',
      input: { common_name: 'www.example.com', country: 'DE', organization: 'Example', privateKey: rfc8410Key },
      result: {
        csr: rfc8410Request,
        subject: 'CN=www.example.com,O=Example,C=DE',
        names: [{ type: 'DNS', value: 'www.example.com' }],
        key: 'Ed25519',
        key_from: 'your own key',
      },
    },
    {
      from: 'RFC 5280 §7.2',
      title: 'A new key, for a name in another script',
      input: { common_name: 'bücher.example', san: '*.bücher.example', keyType: 'ECDSA P-256' },
      result: {
        subject: 'CN=xn--bcher-kva.example',
        names: [
          { type: 'DNS', value: 'xn--bcher-kva.example' },
          { type: 'DNS', value: '*.xn--bcher-kva.example' },
        ],
        key: 'EC on P-256',
        key_from: 'a new key',
      },
    },
  ],
})

async function ownPair(privateKey: string, passphrase: string | undefined): Promise<Pair> {
  const [{ readPrivateKey }, { PassphraseError }] = await Promise.all([
    import('@assay/lib/key/read'),
    import('@assay/lib/key/passphrase'),
  ])
  try {
    return whole((await readPrivateKey(privateKey, { passphrase })).key)
  } catch (error) {
    if (error instanceof PassphraseError) throw asFieldProblem('passphrase', 'Passphrase', error)
    throw asFieldProblem('privateKey', 'Private key', error)
  }
}

async function refused<T>(name: string, label: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asFieldProblem(name, label, error)
  }
}
