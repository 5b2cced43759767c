import { action, type Cost, field, Problem, sh, tool } from '@assay/kit'
import { type Bytes, toBase64, toUtf8 } from '@assay/lib/bytes'
import { textFormats, writeText } from '@assay/lib/codec/text-format'
import { profiles } from '@assay/lib/pgp/library'
import {
  sampleCertificate,
  sampleClearSigned,
  sampleEncrypted,
  sampleInlineSigned,
  sampleKey,
} from '@assay/lib/pgp/samples'
import { explained } from './explained.ts'
import { showInspection, showNewKey, showSigned, showVerified } from './openpgp.show.ts'

const keyTypes = ['Curve25519', 'ECC P-256', 'RSA'] as const
const sizes = ['2048', '3072', '4096'] as const
const styles = ['Clear-signed', 'Detached', 'Inline'] as const
const outputs = ['Armored', 'Base64'] as const

/** Ten years, and a length that no person's name has. */
const MAX_EXPIRY_DAYS = 3_650
const MAX_NAME_LENGTH = 200
const DAY_SECONDS = 86_400

/** The search for primes, twice; about five times the median, measured on one core. */
const rsaCosts: Readonly<Record<(typeof sizes)[number], number>> = { '2048': 1500, '3072': 5000, '4096': 8900 }
const START_MS = 400
const BYTES_PER_MS = 4_000
/** A password goes through tens of megabytes of a hash function, as GnuPG sets it. */
const LOCK_MS = 1_500

const cost = ({ message, passphrase }: { message: Bytes | string; passphrase?: string | undefined }): Cost => ({
  milliseconds: START_MS + message.length / BYTES_PER_MS + (passphrase ? LOCK_MS : 0),
  megabytes: 64 + Math.ceil((6 * message.length) / 1_048_576),
})

const publicKey = field.area('Public keys', {
  optional: true,
  placeholder: '-----BEGIN PGP PUBLIC KEY BLOCK-----',
  help: 'Of those who may have signed.',
})
const passphrase = field.password('Passphrase', { optional: true, help: 'Opens the private key.' })

/** Keys and signatures of OpenPGP. RFC 9580, RFC 4880. */
export const openpgp = tool({
  id: 'openpgp',
  path: 'openpgp',
  title: 'OpenPGP Key Generator, Sign and Verify',
  category: 'digital-signatures-and-key-management',
  summary: 'Make PGP keys, sign and verify with them, and look into every packet.',
  keywords: [
    'pgp',
    'gpg',
    'gnupg',
    'gpg --gen-key',
    'gpg --verify',
    'clearsign',
    'detached signature',
    'list-packets',
    'fingerprint',
  ],
  specs: ['RFC 9580', 'RFC 4880'],
  runs: 'anywhere',
  actions: {
    keygen: action({
      label: 'Generate keys',
      title: 'OpenPGP Key Generator',
      summary: 'A new PGP key with a subkey for encryption, and the certificate that revokes it.',
      fields: {
        name: field.text('Name', { optional: true, placeholder: 'Alice Example', maxLength: MAX_NAME_LENGTH }),
        email: field.email('E-mail', { optional: true, placeholder: 'alice@example.com', maxLength: MAX_NAME_LENGTH }),
        passphrase: field.password('Passphrase', { optional: true, help: 'Locks the private key.' }),
        keyType: field.choice('Key type', keyTypes),
        keySize: field.choice('Key size', sizes, {
          default: '3072',
          help: 'In bits.',
          dependsOn: { field: 'keyType', values: ['RSA'] },
        }),
        expires: field.number('Expires after', {
          min: 0,
          max: MAX_EXPIRY_DAYS,
          default: 730,
          unit: 'days',
          help: '0 for never. It can be put off later.',
        }),
        profile: field.choice('Made for', profiles, { help: 'GnuPG reads the older form (version 4) alone.' }),
      },
      async run({ name = '', email = '', passphrase, keyType, keySize, expires, profile }, context) {
        const user = { name: userName(name), email: userEmail(email) }
        if (!user.name && !user.email) {
          throw new Problem('invalid-input', 'Please enter a name or an e-mail address: a key says whose it is.', {
            field: 'name',
          })
        }
        const now = context.now()
        const [{ createKey, describeKey }, { toArmor }] = await Promise.all([
          import('@assay/lib/pgp/keys'),
          import('@assay/lib/pgp/armor'),
        ])
        const options = {
          ...user,
          passphrase,
          keyType,
          rsaBits: Number(keySize),
          expiresSeconds: expires * DAY_SECONDS,
          profile,
          now,
        }
        const { key, revocation } = await createKey(options)
        const report = await describeKey(key, now)
        return {
          privateKey: toArmor('PRIVATE KEY BLOCK', bytesOf(key), profile),
          publicKey: toArmor('PUBLIC KEY BLOCK', bytesOf(key.toPublic()), profile),
          revocation,
          ...report,
          encrypted: passphrase !== undefined,
          profile,
        }
      },
      show: result => showNewKey(result),
      terminal: ({ name = '', email = '', keyType, keySize }) => ({
        command: gpgKeygen(
          `${name.trim()}${email.trim() ? ` <${email.trim()}>` : ''}`.trim(),
          keyType === 'RSA' ? `rsa${keySize}` : gpgTypes[keyType],
        ),
      }),
      cost: ({ keyType, keySize }) => ({
        milliseconds: keyType === 'RSA' ? rsaCosts[keySize] : START_MS,
        megabytes: 64,
      }),
      examples: [
        {
          from: 'RFC 9580 §10.1',
          title: 'On Curve25519, for two years, for GnuPG',
          input: { name: 'Alice Example', email: 'alice@example.com' },
          recording: { now: '2026-06-01T00:00:00Z' },
          result: {
            version: 4,
            algorithm: 'EdDSA on Ed25519',
            created: '2026-06-01T00:00:00.000Z',
            expires: '2028-05-31T00:00:00.000Z',
            users: [{ id: 'Alice Example <alice@example.com>', status: 'valid' }],
          },
        },
        {
          from: 'RFC 9580 §10.1',
          title: 'Version 6, which never expires',
          input: { name: 'Alice', profile: 'RFC 9580', expires: 0 },
          recording: { now: '2026-06-01T00:00:00Z' },
          result: { version: 6, algorithm: 'Ed25519', expires: null },
        },
      ],
    }),

    sign: action({
      title: 'OpenPGP Sign',
      summary: 'Sign a message in the clear, apart from it, or with it in one block.',
      fields: {
        message: field.bytes('Message', { placeholder: 'What is signed' }),
        privateKey: field.area('Private key', { secret: true, placeholder: '-----BEGIN PGP PRIVATE KEY BLOCK-----' }),
        passphrase,
        style: field.choice('Style', styles, {
          help: 'In the clear for text that people read, detached for files, inline for programs.',
        }),
        output_format: field.choice('Output format', outputs, {
          dependsOn: { field: 'style', values: ['Detached', 'Inline'] },
        }),
      },
      async run({ message, privateKey, passphrase, style, output_format }, context) {
        const [keys, { signMessage }, { toArmor }] = await Promise.all([
          import('@assay/lib/pgp/keys'),
          import('@assay/lib/pgp/message'),
          import('@assay/lib/pgp/armor'),
        ])
        const text = style === 'Clear-signed' ? await explained('message', 'Message', () => plainText(message)) : ''
        const signers = await explained('privateKey', 'Private key', () => keys.readPrivateKeys(privateKey, passphrase))
        const now = context.now()
        const profile = signers.every(({ keyPacket }) => keyPacket.version === 6) ? 'RFC 9580' : 'RFC 4880 (GnuPG)'
        const made = await explained('privateKey', 'Private key', () =>
          signMessage({ message, text, style, signers, profile, now }),
        )
        const label = style === 'Detached' ? 'SIGNATURE' : 'MESSAGE'
        const signature =
          'text' in made
            ? made.text
            : output_format === 'Base64'
              ? toBase64(made.bytes)
              : toArmor(label, made.bytes, profile)
        return {
          signature,
          style,
          signed_by: await Promise.all(
            signers.map(async key => {
              const { fingerprint, key_id, algorithm, users } = await keys.describeKey(key, now)
              return { user: users[0]?.id ?? null, fingerprint, key_id, algorithm }
            }),
          ),
          created: now.toISOString(),
          message_bytes: message.length,
        }
      },
      show: result => showSigned(result),
      terminal: ({ style }) => ({
        command: `gpg --armor ${{ 'Clear-signed': '--clearsign', Detached: '--detach-sign', Inline: '--sign' }[style]} message.txt`,
      }),
      cost,
      examples: [
        {
          from: 'RFC 9580 §A.4',
          title: 'In the clear, with the sample key of the document',
          input: { message: 'What we need from the grocery store', privateKey: sampleKey },
          result: {
            style: 'Clear-signed',
            signed_by: [
              {
                user: null,
                fingerprint: 'CB186C4F0609A697E4D52DFA6C722B0C1F1E27C18A56708F6525EC27BAD9ACC9',
                key_id: 'CB186C4F0609A697',
                algorithm: 'Ed25519',
              },
            ],
          },
        },
        {
          from: 'RFC 9580 §10.4',
          title: 'A detached signature of bytes',
          input: { message: '00ff', message_format: 'Hex', privateKey: sampleKey, style: 'Detached' },
          result: { style: 'Detached', message_bytes: 2 },
        },
      ],
    }),

    verify: action({
      title: 'OpenPGP Verify',
      summary: 'Check who signed a message, in any style, and whether it was changed.',
      fields: {
        message: field.bytes('Message', {
          placeholder: '-----BEGIN PGP SIGNED MESSAGE-----',
          help: 'Signed in the clear or inline; or, with a detached signature below, just what was signed.',
        }),
        signature: field.area('Detached signature', { optional: true, placeholder: '-----BEGIN PGP SIGNATURE-----' }),
        publicKey,
        output_format: field.choice('Output format', textFormats, {
          help: 'Automatic is text when the bytes are valid UTF-8, else hexadecimal.',
        }),
      },
      async run({ message, signature, publicKey, output_format }, context) {
        const [keys, { verifyMessage }] = await Promise.all([
          import('@assay/lib/pgp/keys'),
          import('@assay/lib/pgp/message'),
        ])
        const verifiers = publicKey?.trim()
          ? await explained('publicKey', 'Public keys', () => keys.readPublicKeys(publicKey))
          : []
        const detached = signature?.trim() ? signature : undefined
        const text = detached ? '' : messageText(message)
        const found = await explained(
          detached ? 'signature' : 'message',
          detached ? 'Detached signature' : 'Message',
          () => verifyMessage({ message, text, signature: detached, verifiers, now: context.now() }),
        )
        const { signatures, data, style } = found
        const output = await explained('output_format', 'Output format', () => writeText(data, output_format))
        return {
          valid: signatures.length > 0 && signatures.every(({ status }) => status === 'valid'),
          style,
          signatures,
          message: output.text,
          output_format: output.format,
          message_bytes: data.length,
        }
      },
      show: result => showVerified(result),
      terminal: ({ signature }) => ({
        command: signature?.trim() ? 'gpg --verify message.sig message.txt' : 'gpg --verify message.asc',
      }),
      cost,
      examples: [
        {
          from: 'RFC 9580 §A.6',
          title: 'A text signed in the clear',
          input: { message: sampleClearSigned, publicKey: sampleCertificate },
          result: {
            valid: true,
            style: 'Clear-signed',
            message: 'What we need from the grocery store:\n\n- tofu\n- vegetables\n- noodles\n',
            signatures: [{ status: 'valid', key_id: 'CB186C4F0609A697', hash: 'SHA-512' }],
          },
        },
        {
          from: 'RFC 9580 §A.7',
          title: 'Message and signature in one block',
          input: { message: sampleInlineSigned, publicKey: sampleCertificate },
          result: { valid: true, style: 'Inline' },
        },
        {
          from: 'RFC 9580 §A.6',
          title: 'The same without the key of the signer',
          input: { message: sampleClearSigned },
          result: { valid: false, signatures: [{ status: 'unknown key', key_id: 'CB186C4F0609A697' }] },
        },
      ],
    }),

    inspect: action({
      title: 'OpenPGP Packet Inspector',
      summary: 'Every packet of a key, a message or a signature, and the state of every key in it.',
      fields: {
        message: field.area('Key, message or signature', {
          placeholder: '-----BEGIN PGP …-----',
          help: 'In ASCII armor, or the bytes in Base64 or hexadecimal.',
        }),
      },
      async run({ message }, context) {
        const [{ blocksIn }, { listPackets }] = await Promise.all([
          import('@assay/lib/pgp/armor'),
          import('@assay/lib/pgp/packets'),
        ])
        const blocks = await explained('message', 'Input', () =>
          blocksIn(message).map(({ label, bytes, headers }) => ({
            label: label || 'no armor',
            headers,
            bytes: bytes.length,
            packets: listPackets(bytes),
          })),
        )
        return { blocks, keys: await keysIn(message, context.now()) }
      },
      show: result => showInspection(result),
      terminal: () => ({ command: 'gpg --list-packets message.asc' }),
      cost,
      examples: [
        {
          from: 'RFC 9580 §A.3',
          title: 'A certificate of version 6',
          input: { message: sampleCertificate },
          recording: { now: '2026-06-01T00:00:00Z' },
          result: {
            blocks: [{ label: 'PUBLIC KEY BLOCK', bytes: 424 }],
            keys: [
              {
                fingerprint: 'CB186C4F0609A697E4D52DFA6C722B0C1F1E27C18A56708F6525EC27BAD9ACC9',
                version: 6,
                algorithm: 'Ed25519',
                status: 'valid',
              },
            ],
          },
        },
        {
          from: 'RFC 9580 §A.8',
          title: 'An encrypted message says for which key it is',
          input: { message: sampleEncrypted },
          result: { keys: [] },
        },
      ],
    }),
  },
})

const bytesOf = (key: { write(): Uint8Array }): Bytes => Uint8Array.from(key.write())

/** RFC 9580 §5.11: by convention a name, and an address in angle brackets, which are then kept for it. */
function userName(typed: string): string {
  const name = typed.trim()
  if (/[\p{Cc}<>]/u.test(name)) {
    throw new Problem('invalid-input', 'Name: expected a name without angle brackets and control characters.', {
      field: 'name',
    })
  }
  return name
}

function userEmail(typed: string): string {
  const email = typed.trim()
  if (email && !/^[^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+$/u.test(email)) {
    throw new Problem('invalid-input', 'E-mail: expected an address such as alice@example.com.', { field: 'email' })
  }
  return email
}

function plainText(message: Bytes): string {
  try {
    return toUtf8(message)
  } catch (cause) {
    throw new RangeError('only text is signed in the clear, so choose another style for bytes', { cause })
  }
}

/** A signed message is armor, or the bytes of its packets. */
function messageText(message: Bytes): string {
  const armored = message[0] !== undefined && message[0] < 0x80
  if (!armored) return toBase64(message)
  try {
    return toUtf8(message)
  } catch {
    return toBase64(message)
  }
}

async function keysIn(message: string, now: Date) {
  const { describeKey, readAnyKeys } = await import('@assay/lib/pgp/keys')
  const keys = await readAnyKeys(message)
  return Promise.all(keys.map(key => describeKey(key, now)))
}

const gpgTypes = { Curve25519: 'future-default', 'ECC P-256': 'nistp256' }

const gpgKeygen = (user: string, type: string): string => sh`gpg --quick-generate-key ${user} ${type}`
