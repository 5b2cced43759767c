import { badge, type CellData, mono, type Panel, panel, type Tone } from '@assay/kit'
import { fromUtf8, toBase64 } from '@assay/lib/bytes'
import type { KeyReport } from '@assay/lib/pgp/keys'
import type { SignatureReport } from '@assay/lib/pgp/message'
import type { PacketReport } from '@assay/lib/pgp/packets'
import { visible } from '@assay/lib/x509/text'

interface NewKey extends KeyReport {
  privateKey: string
  publicKey: string
  revocation: string
  encrypted: boolean
}

const file = (name: string, text: string): Panel =>
  panel.file({ name, mediaType: 'application/pgp-keys', base64: toBase64(fromUtf8(text)) })

export const showNewKey = (result: NewKey): Panel[] => [
  panel.banner('good', visible(result.users[0]?.id ?? ''), {
    badge: result.encrypted ? 'LOCKED' : 'UNLOCKED',
    detail: `${result.algorithm}, version ${result.version}${result.expires ? `, until ${result.expires.slice(0, 10)}` : ', without end'}`,
  }),
  panel.facts([
    ['Fingerprint', mono(grouped(result.fingerprint))],
    ...result.subkeys.map(
      ({ algorithm, fingerprint }) => [`Subkey (${algorithm})`, mono(grouped(fingerprint))] as const,
    ),
  ]),
  panel.code(result.publicKey, { title: 'Public key, for everybody' }),
  file('public.asc', result.publicKey),
  panel.code(result.privateKey, { title: result.encrypted ? 'Private key, locked' : 'Private key' }),
  file('private.asc', result.privateKey),
  panel.code(result.revocation, { title: 'Revocation certificate' }),
  file('revocation.asc', result.revocation),
  panel.note(
    'warn',
    'Keep the revocation certificate apart from the key: whoever has it can declare the key dead, and without it nobody can once the key is lost.',
  ),
  ...(result.encrypted
    ? []
    : [panel.note('info', 'The private key opens without a passphrase: whoever has the file has the key.')]),
]

/** As gpg prints fingerprints: in fours. */
const grouped = (hex: string): string => hex.match(/.{1,4}/g)?.join(' ') ?? hex

interface Signed {
  signature: string
  style: string
  signed_by: { user: string | null; fingerprint: string; algorithm: string }[]
  created: string
}

export const showSigned = ({ signature, style, signed_by, created }: Signed): Panel[] => [
  panel.code(signature, { title: style === 'Detached' ? 'Signature' : 'Signed message' }),
  panel.facts([
    ...signed_by.map(
      ({ user, fingerprint }) => ['Signed by', mono(user ? visible(user) : grouped(fingerprint))] as const,
    ),
    ...signed_by.map(({ fingerprint, algorithm }) => [algorithm, mono(grouped(fingerprint))] as const),
    ['Made', created],
  ]),
]

interface Verified {
  valid: boolean
  style: string
  signatures: readonly SignatureReport[]
  message: string
}

const tones: Readonly<Record<SignatureReport['status'], Tone>> = {
  valid: 'good',
  invalid: 'bad',
  'unknown key': 'warn',
}

export function showVerified({ valid, style, signatures, message }: Verified): Panel[] {
  const invalid = signatures.some(({ status }) => status === 'invalid')
  const [title, tone] = valid
    ? ['The signature is valid', 'good' as const]
    : invalid
      ? ['The signature is not valid', 'bad' as const]
      : signatures.length
        ? ['The key that signed is not known', 'warn' as const]
        : ['The message is not signed', 'bad' as const]
  return [
    panel.banner(tone, title, { badge: valid ? 'VALID' : invalid ? 'INVALID' : 'NOT PROVEN', detail: style }),
    ...signatures.map((signature, index) =>
      panel.section(`Signature ${index + 1}`, [panel.facts(signatureFacts(signature))], {
        badge: badge(signature.status.toUpperCase(), tones[signature.status]),
      }),
    ),
    panel.code(message, { title: valid ? 'What was signed' : 'The message' }),
  ]
}

function signatureFacts({ user, key_id, fingerprint, created, hash, reason, key_status, weakness }: SignatureReport) {
  return [
    ['By', user ? visible(user) : fingerprint ? 'a key without a name' : 'not known'],
    ['Key', mono(fingerprint ? grouped(fingerprint) : key_id)],
    ...(created ? ([['Made', created]] as const) : []),
    ...(hash ? ([['Hash function', hash]] as const) : []),
    ...(key_status === 'expired' || key_status === 'revoked'
      ? ([['The key by now', { text: key_status, tone: 'warn' as const }]] as const)
      : []),
    ...(weakness ? ([['Weak', { text: weakness, tone: 'warn' as const }]] as const) : []),
    ...(reason ? ([['Reason', reason]] as const) : []),
  ] as const satisfies readonly (readonly [string, string | CellData])[]
}

interface Inspection {
  blocks: readonly { label: string; headers: readonly string[]; bytes: number; packets: readonly PacketReport[] }[]
  keys: readonly KeyReport[]
}

const states: Readonly<Record<KeyReport['status'], Tone>> = {
  valid: 'good',
  expired: 'warn',
  revoked: 'bad',
  'not yet valid': 'warn',
  invalid: 'bad',
}

export const showInspection = ({ blocks, keys }: Inspection): Panel[] => [
  ...keys.map(keySection),
  ...blocks.map(({ label, bytes, packets }, index) =>
    panel.section(`${blocks.length > 1 ? `${index + 1}. ` : ''}${label}`, packets.map(packetSection), {
      detail: `${packets.length} packets, ${bytes} bytes`,
    }),
  ),
]

const packetSection = ({ offset, tag, name, bytes, format, fields, fault }: PacketReport): Panel =>
  panel.section(
    name,
    [
      ...(fault ? [panel.note('bad', `Something is wrong: ${fault}.`)] : []),
      panel.facts([
        ...fields.map(([label, value]) => [label, mono(visible(value))] as const),
        ['Type and place', `${tag}, from byte ${offset}, ${format} format`],
      ]),
    ],
    { detail: `${bytes} bytes` },
  )

function keySection(key: KeyReport): Panel {
  const until = key.expires ? `until ${key.expires.slice(0, 10)}` : 'without end'
  return panel.section(
    visible(key.users[0]?.id ?? key.key_id),
    [
      panel.facts([
        ['Fingerprint', mono(grouped(key.fingerprint))],
        ['Algorithm', `${key.algorithm}, version ${key.version}`],
        ['Valid', `from ${key.created.slice(0, 10)}, ${until}`],
        ['For', key.uses.join(', ') || 'not said'],
        ['Private', key.private ? (key.locked ? 'yes, locked with a passphrase' : 'yes, without a passphrase') : 'no'],
      ]),
      ...(key.users.length
        ? [
            panel.table(
              ['User', 'State'],
              key.users.map(({ id, status }) => [visible(id), badge(status.toUpperCase(), states[status])]),
              { title: 'Users' },
            ),
          ]
        : []),
      ...(key.subkeys.length
        ? [
            panel.table(
              ['Subkey', 'Algorithm', 'For', 'Until', 'State'],
              key.subkeys.map(({ key_id, algorithm, uses, expires, status }) => [
                mono(key_id),
                algorithm,
                uses.join(', '),
                expires?.slice(0, 10) ?? 'without end',
                badge(status.toUpperCase(), states[status]),
              ]),
              { title: 'Subkeys' },
            ),
          ]
        : []),
    ],
    { badge: badge(key.status.toUpperCase(), states[key.status]) },
  )
}
