import { action, asFieldProblem, badge, field, mono, type Panel, Problem, panel, tool } from '@assay/kit'
import { type Bytes, fromUtf8, toBase64, toHex } from '@assay/lib/bytes'
import { textFormats, writeText } from '@assay/lib/codec/text-format'
import { PassphraseError } from '@assay/lib/key/passphrase'
import { profiles } from '@assay/lib/pgp/library'
import { gnupgSymmetric, sampleCertificate, sampleEncrypted, sampleKey } from '@assay/lib/pgp/samples'
import { visible } from '@assay/lib/x509/text'

const outputs = ['Armored', 'Base64', 'Hex'] as const

/** Loading the library, a lock with a password, and the message itself. */
const START_MS = 400
const BYTES_PER_MS = 4_000
/** A password goes through tens of megabytes of a hash function, as GnuPG sets it. */
const LOCK_MS = 1_500

interface Costly {
  message: Bytes | string
  passphrase: string | undefined
  password: string | undefined
}

const cost = ({ message, passphrase, password }: Costly) => ({
  milliseconds: START_MS + message.length / BYTES_PER_MS + LOCK_MS * [passphrase, password].filter(Boolean).length,
  megabytes: 64 + Math.ceil((6 * message.length) / 1_048_576),
})

const passphrase = field.password('Passphrase', { optional: true, help: 'Opens the private key.' })
const password = field.password('Password', { optional: true, help: 'Locks the message itself, without any key.' })

/** Messages of OpenPGP. RFC 9580, RFC 4880. */
export const pgp = tool({
  id: 'pgp',
  path: 'pgp',
  title: 'PGP Message Encrypt / Decrypt',
  category: 'encryption-and-decryption',
  summary: 'Encrypt a message for the holders of PGP keys or with a password, and decrypt it again.',
  keywords: ['openpgp', 'gpg', 'gnupg', 'pgp', 'armor', 'public key encryption', 'mail encryption', 'asc', 'sequoia'],
  specs: ['RFC 9580', 'RFC 4880'],
  runs: 'anywhere',
  actions: {
    encrypt: action({
      title: 'PGP Encrypt',
      summary: 'Encrypt a message for the holders of PGP keys or with a password, and sign it if you like.',
      swap: { to: 'decrypt', from: 'ciphertext', into: 'message' },
      fields: {
        message: field.bytes('Message', { placeholder: 'What only the recipients shall read' }),
        publicKey: field.area('Public keys of the recipients', {
          optional: true,
          placeholder: '-----BEGIN PGP PUBLIC KEY BLOCK-----',
          help: 'One block or several; everyone whose key is here can read the message.',
        }),
        password,
        privateKey: field.area('Your private key', {
          optional: true,
          secret: true,
          placeholder: '-----BEGIN PGP PRIVATE KEY BLOCK-----',
          help: 'Only to sign the message, inside the encryption.',
        }),
        passphrase,
        profile: field.choice('Made for', profiles, {
          help: 'GnuPG reads the older form alone. The newer one uses AEAD where the keys of all recipients allow it.',
        }),
        output_format: field.choice('Output format', outputs),
      },
      async run({ message, publicKey, password, privateKey, passphrase, profile, output_format }, context) {
        if (!publicKey?.trim() && !password) {
          throw new Problem('invalid-input', 'Please paste the public key of a recipient, or enter a password.', {
            field: 'publicKey',
          })
        }
        const [keys, { encryptMessage, RecipientError }, { toArmor }] = await Promise.all([
          import('@assay/lib/pgp/keys'),
          import('@assay/lib/pgp/message'),
          import('@assay/lib/pgp/armor'),
        ])
        const recipients = publicKey?.trim()
          ? await explained('publicKey', 'Public keys', () => keys.readPublicKeys(publicKey))
          : []
        const signers = privateKey?.trim()
          ? await explained('privateKey', 'Private key', () => keys.readPrivateKeys(privateKey, passphrase))
          : []
        const passwords = password ? [password] : []
        const options = { message, recipients, passwords, signers, profile, now: context.now() }
        const made = await encryptMessage(options).catch((error: unknown) => {
          throw error instanceof RecipientError
            ? asFieldProblem('publicKey', 'Public keys', error)
            : asFieldProblem('privateKey', 'Private key', error)
        })
        return {
          ciphertext: written(made.bytes, output_format, bytes => toArmor('MESSAGE', bytes, profile)),
          output_format,
          recipients: made.recipients,
          password: passwords.length > 0,
          signed: signers.length > 0,
          profile,
          input_bytes: message.length,
          output_bytes: made.bytes.length,
        }
      },
      show: result => [
        panel.code(result.ciphertext, { title: 'Encrypted message' }),
        ...filePanels(result.ciphertext, result.output_format),
        panel.table(
          ['For', 'Key', 'Algorithm'],
          [
            ...result.recipients.map(({ user, key_id, algorithm }) => [visible(user), mono(key_id), algorithm]),
            ...(result.password ? [['whoever knows the password', '', '']] : []),
          ],
          { title: 'Who can read it' },
        ),
        panel.facts([
          ['Signed', result.signed ? 'yes' : 'no'],
          ['Size', `${result.input_bytes} bytes became ${result.output_bytes}`],
        ]),
      ],
      terminal: ({ publicKey, privateKey }) => ({
        command: [
          'gpg --armor',
          ...(privateKey?.trim() ? ['--sign'] : []),
          publicKey?.trim() ? '--encrypt --recipient-file public.asc' : '--symmetric',
          '--output message.asc message.txt',
        ].join(' '),
      }),
      cost,
      examples: [
        {
          from: 'RFC 9580 §A.3',
          title: 'For the sample certificate of the document',
          input: { message: 'Hello, world!', publicKey: sampleCertificate },
          result: {
            recipients: [{ user: 'key CB186C4F0609A697', key_id: '12C83F1E706F6308', algorithm: 'X25519' }],
            password: false,
            signed: false,
          },
        },
        {
          from: 'RFC 9580 §5.3',
          title: 'With a password alone',
          input: { message: 'Meet me at noon.', password: 'correct horse' },
          result: { recipients: [], password: true },
        },
      ],
    }),

    decrypt: action({
      title: 'PGP Decrypt',
      summary: 'Decrypt a PGP message with your private key or a password, and check who signed it.',
      swap: { to: 'encrypt', from: 'plaintext', into: 'message' },
      fields: {
        message: field.area('Encrypted message', {
          placeholder: '-----BEGIN PGP MESSAGE-----',
          help: 'In ASCII armor, or the bytes in Base64 or hexadecimal.',
        }),
        privateKey: field.area('Your private key', {
          optional: true,
          secret: true,
          placeholder: '-----BEGIN PGP PRIVATE KEY BLOCK-----',
        }),
        passphrase,
        password: field.password('Password', { optional: true, help: 'Where the message is locked with one.' }),
        publicKey: field.area('Public keys of the senders', {
          optional: true,
          placeholder: '-----BEGIN PGP PUBLIC KEY BLOCK-----',
          help: 'To check signatures inside.',
        }),
        output_format: field.choice('Output format', textFormats, {
          help: 'Automatic is text when the bytes are valid UTF-8, else hexadecimal.',
        }),
      },
      async run({ message, privateKey, passphrase, password, publicKey, output_format }, context) {
        const [keys, messages] = await Promise.all([import('@assay/lib/pgp/keys'), import('@assay/lib/pgp/message')])
        const parsed = await explained('message', 'Encrypted message', () => messages.readMessage(message))
        const own = privateKey?.trim()
          ? await explained('privateKey', 'Private key', () => keys.readPrivateKeys(privateKey, passphrase))
          : []
        const verifiers = publicKey?.trim()
          ? await explained('publicKey', 'Public keys', () => keys.readPublicKeys(publicKey))
          : []
        const passwords = password ? [password] : []
        const options = { message: parsed, keys: own, passwords, verifiers, now: context.now() }
        const opened = await messages.decryptMessage(options).catch((error: unknown) => {
          if (!(error instanceof messages.NoKeyError)) throw asFieldProblem('message', 'Encrypted message', error)
          throw error.kind === 'key'
            ? asFieldProblem('privateKey', 'Private key', error)
            : asFieldProblem('password', 'Password', error)
        })
        const { text, format } = await explained('output_format', 'Output format', () =>
          writeText(opened.data, output_format),
        )
        return {
          plaintext: text,
          output_format: format,
          output_bytes: opened.data.length,
          filename: opened.filename || null,
          recipients: opened.recipients,
          signatures: opened.signatures,
        }
      },
      show: result => [
        panel.code(result.plaintext, { title: 'Message' }),
        panel.facts([
          ['Output', `${result.output_bytes} bytes, written as ${result.output_format}`],
          ['File name', result.filename ? mono(visible(result.filename)) : 'none'],
          [
            'For the keys',
            result.recipients.length ? mono(result.recipients.map(shownId).join(', ')) : 'none: a password',
          ],
        ]),
        ...signaturePanels(result.signatures),
      ],
      terminal: () => ({ command: 'gpg --decrypt message.asc' }),
      cost,
      examples: [
        {
          from: 'RFC 9580 §A.8',
          title: 'X25519 with AES-128 in OCB mode',
          input: { message: sampleEncrypted, privateKey: sampleKey },
          result: { plaintext: 'Hello, world!', signatures: [] },
        },
        {
          from: 'GnuPG 2.2.40',
          title: 'A message with a password',
          input: { message: gnupgSymmetric, password: 'correct horse' },
          result: { plaintext: 'Meet me at noon.\n', recipients: [] },
        },
      ],
    }),
  },
})

function written(bytes: Bytes, format: (typeof outputs)[number], toArmor: (bytes: Bytes) => string): string {
  if (format === 'Armored') return toArmor(bytes)
  return format === 'Base64' ? toBase64(bytes) : toHex(bytes)
}

const filePanels = (text: string, format: (typeof outputs)[number]): Panel[] =>
  format === 'Armored'
    ? [panel.file({ name: 'message.asc', mediaType: 'application/pgp-encrypted', base64: toBase64(fromUtf8(text)) })]
    : []

/** RFC 9580 §5.1: zeros hide whom it is for. */
const shownId = (id: string) => (/^0+$/.test(id) ? 'hidden' : id)

interface Signature {
  status: 'valid' | 'invalid' | 'unknown key'
  key_id: string
  user: string | null
  created: string | null
  reason: string | null
  key_status: string
  weakness: string | null
}

function signaturePanels(signatures: readonly Signature[]): Panel[] {
  if (!signatures.length) return [panel.note('info', 'The message is not signed, so anybody may have written it.')]
  return [
    panel.table(
      ['Signature', 'By', 'Made', 'Remark'],
      signatures.map(({ status, key_id, user, created, reason, key_status, weakness }) => [
        badge(status.toUpperCase(), status === 'valid' ? 'good' : status === 'invalid' ? 'bad' : 'warn'),
        { text: user ? visible(user) : key_id, title: key_id },
        created ?? '',
        reason ?? weakness ?? (key_status === 'valid' ? '' : `The key is ${key_status} by now.`),
      ]),
      { title: 'Signatures' },
    ),
  ]
}

async function explained<T>(name: string, label: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PassphraseError) throw asFieldProblem('passphrase', 'Passphrase', error)
    throw asFieldProblem(name, label, error)
  }
}
