import { explain, field, mono, Problem, panel, raw, sh, tool } from '@assay/kit'
import { type Bytes, toHex } from '@assay/lib/bytes'
import type { PrivateKey, PublicKey } from '@assay/lib/key/key'
import { explained } from './explained.ts'
import { keyPanels } from './key-file.ts'

const types = ['RSA', 'ECDSA', 'ED25519'] as const
type KeyType = (typeof types)[number]
const sizes = ['2048', '3072', '4096'] as const
const curves = ['P-256', 'P-384', 'P-521'] as const
const MAX_COMMENT = 1000

/** As rsa-key-generator measures them; the other kinds are made at once. */
const rsaMilliseconds: Readonly<Record<(typeof sizes)[number], number>> = { '2048': 600, '3072': 2500, '4096': 6000 }
/** bcrypt with 24 rounds. */
const LOCK_MS = 500

/** New SSH keys. RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4, PROTOCOL.key of OpenSSH. */
export const sshKeyGenerator = tool({
  id: 'ssh-key-generator',
  path: 'ssh-key-generator',
  title: 'SSH Key Generator',
  category: 'digital-signatures-and-key-management',
  summary: 'A new SSH key as OpenSSH writes it: private key, line for authorized_keys and fingerprints.',
  keywords: ['ssh-keygen', 'id_rsa', 'id_ed25519', 'id_ecdsa', 'authorized_keys', 'openssh', 'github', 'fingerprint'],
  specs: ['RFC 4253', 'RFC 5656', 'RFC 8709'],
  runs: 'anywhere',
  fields: {
    keyType: field.choice('Key type', types, { help: 'ED25519 unless a server is older than 2014.' }),
    keySize: field.choice('Key size', sizes, {
      help: 'In bits. ssh-keygen itself makes 3072.',
      dependsOn: { field: 'keyType', values: ['RSA'] },
    }),
    curve: field.choice('Curve', curves, { dependsOn: { field: 'keyType', values: ['ECDSA'] } }),
    comment: field.text('Comment', {
      optional: true,
      maxLength: MAX_COMMENT,
      placeholder: 'alice@example.com',
      help: 'Stands at the end of the public line, so that you know the key again.',
    }),
    passphrase: field.password('Passphrase', {
      optional: true,
      help: 'Locks the private key with AES-256. Leave it empty for a key that opens without.',
    }),
  },
  async run({ keyType, keySize, curve, comment = '', passphrase }, { random, signal }) {
    explain('comment', 'Comment', () => checkComment(comment))
    const key = await generated({ keyType, keySize, curve, random })
    signal.throwIfAborted()
    const { publicKey } = key
    const [{ sshKeyType, writeOpenSshPrivateKey, writeSshBlob, writeSshLine }, { fingerprints, keyBits }, { digest }] =
      await Promise.all([
        import('@assay/lib/key/openssh'),
        import('@assay/lib/key/fingerprint'),
        import('@assay/lib/hash/digest'),
      ])
    const { ssh_sha256 = '' } = await fingerprints(publicKey)
    const md5 = toHex(await digest('MD5', writeSshBlob(publicKey)))
    return {
      privateKey: await explained('passphrase', 'Passphrase', () =>
        writeOpenSshPrivateKey(key, { comment, passphrase, random }),
      ),
      publicKey: writeSshLine(publicKey, comment),
      keyType,
      ssh_type: sshKeyType(publicKey),
      bits: keyBits(publicKey),
      comment,
      encrypted: passphrase !== undefined,
      fingerprint_sha256: ssh_sha256,
      fingerprint_md5: `MD5:${md5.match(/../g)?.join(':')}`,
    }
  },
  show: ({ privateKey, publicKey, keyType, bits, encrypted, ssh_type, ...rest }) => [
    panel.banner('good', `SSH key of the kind ${keyType}, ${bits} bits`, { badge: encrypted ? 'LOCKED' : 'UNLOCKED' }),
    ...keyPanels('Private key', privateKey, fileName(keyType)),
    ...keyPanels('Public key, for authorized_keys', publicKey, `${fileName(keyType)}.pub`),
    panel.facts(
      [
        ['SHA-256', mono(rest.fingerprint_sha256)],
        ['MD5, as before OpenSSH 6.8', mono(rest.fingerprint_md5)],
        ['Type on the wire', mono(ssh_type)],
      ],
      'Fingerprints',
    ),
    ...(encrypted
      ? []
      : [panel.note('info', 'The private key opens without a passphrase: whoever has the file has the key.')]),
    panel.note('info', `Save the private key with rights for you alone: chmod 600 ${fileName(keyType)}.`),
  ],
  terminal: ({ keyType, keySize, curve, comment }) => {
    const bits = { RSA: ` -b ${keySize}`, ECDSA: ` -b ${curve.slice(2)}`, ED25519: '' }[keyType]
    const words = comment ? sh` -C ${comment}` : ''
    return { command: sh`ssh-keygen -t ${keyType.toLowerCase()}${raw(bits)}${raw(words)} -f ${fileName(keyType)}` }
  },
  cost: ({ keyType, keySize, passphrase }) => ({
    milliseconds: (keyType === 'RSA' ? rsaMilliseconds[keySize] : 30) + (passphrase ? LOCK_MS : 0),
    megabytes: 32,
  }),
  examples: [
    {
      from: 'RFC 8709 §4',
      title: 'Ed25519 with a comment',
      input: { keyType: 'ED25519', comment: 'alice@example.com' },
      result: { ssh_type: 'ssh-ed25519', bits: 256, comment: 'alice@example.com', encrypted: false },
    },
    {
      from: 'RFC 5656 §3.1',
      title: 'ECDSA on P-384',
      input: { keyType: 'ECDSA', curve: 'P-384' },
      result: { ssh_type: 'ecdsa-sha2-nistp384', bits: 384 },
    },
    {
      from: 'RFC 4253 §6.6',
      title: 'RSA of 2048 bits',
      input: { keyType: 'RSA' },
      result: { ssh_type: 'ssh-rsa', bits: 2048 },
    },
  ],
})

const fileName = (keyType: KeyType): string => `id_${keyType.toLowerCase()}`

/** The public key is one line, so a comment cannot hold a second one. */
function checkComment(comment: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\x00-\x1f\x7f\u2028\u2029]/.test(comment)) throw new RangeError('expected one line without control characters')
}

interface Wish {
  keyType: KeyType
  keySize: (typeof sizes)[number]
  curve: (typeof curves)[number]
  random(length: number): Bytes
}

async function generated({ keyType, keySize, curve, random }: Wish): Promise<PrivateKey & { publicKey: PublicKey }> {
  switch (keyType) {
    case 'RSA': {
      const [{ generateRsaPkcs8, rsaKeySizes }, { readPkcs8 }] = await Promise.all([
        import('@assay/lib/key/rsa'),
        import('@assay/lib/key/pkcs8'),
      ])
      const key = readPkcs8(await generateRsaPkcs8(rsaKeySizes.find(size => String(size) === keySize) ?? 2048))
      if (key.type !== 'RSA') throw new Problem('unsupported', 'The platform made a key of another kind.')
      return key
    }
    case 'ECDSA':
      return (await import('@assay/lib/key/ec')).generateEcKey(curve, random)
    case 'ED25519': {
      const { generateOkpKey, okpPublicKeyOf } = await import('@assay/lib/key/okp')
      const key = await generateOkpKey('Ed25519', random)
      return { ...key, publicKey: await okpPublicKeyOf(key) }
    }
  }
}
