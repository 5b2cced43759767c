import { badge, mono, type Panel, panel, type Tone } from '@assay/kit'
import type { Security } from '@assay/lib/dns/dnssec-chain'
import { dayOf } from '@assay/lib/dns/dnssec-error'
import type { ChainZone, DnssecResult, SignatureRow } from './dnssec.ts'

const TONES: Readonly<Record<Security, Tone>> = {
  secure: 'good',
  insecure: 'warn',
  bogus: 'bad',
  indeterminate: 'warn',
}

const SUMMARY: Readonly<Record<Security, string>> = {
  secure: 'secure: every link from the root’s key down to the records holds',
  insecure: 'insecure: not signed, or not all the way',
  bogus: 'bogus: signed, and a signature or a link does not hold',
  indeterminate: 'indeterminate: it could not be found out',
}

const ASSESSMENT: Readonly<Record<Security, string>> = {
  secure:
    'Answers for this name are signed, and the signatures lead without a gap to the key of the root zone. A resolver that validates notices when somebody changes them on the way.',
  insecure:
    'Answers for this name are not protected by DNSSEC. They resolve as ever, but a resolver cannot notice when somebody changes them on the way. To change that, sign the zone and have a DS record put into the parent zone.',
  bogus:
    'This name claims to be signed, and what the servers send does not fit that. Resolvers that validate answer SERVFAIL, so for their users the name is unreachable until its zone or its DS record is mended.',
  indeterminate:
    'Something that would be needed to tell could not be fetched. That says nothing about the signatures; try again, or look at the name servers first.',
}

const SIGNATURE_STATES: Readonly<Record<SignatureRow['state'], readonly [word: string, tone: Tone]>> = {
  valid: ['valid', 'good'],
  invalid: ['invalid', 'bad'],
  unchecked: ['not checked', 'neutral'],
}

const STATUS_WORDS: Readonly<Record<DnssecResult['record_sets'][number]['status'], string>> = {
  answer: 'records',
  nodata: 'no records of this type',
  nxdomain: 'no such name',
  alias: 'an alias',
  servfail: 'server failure',
  refused: 'refused',
  lame: 'the server does not serve the zone',
  'cname-loop': 'aliases in a circle',
  timeout: 'no answer in time',
  network: 'not reachable',
}

/** The panels of a DNSSEC check, the chain as steps for those who do not see the drawing. */
export function show(result: DnssecResult): Panel[] {
  const { domain, dnssec_enabled, signatures, error, verdict, ede, record_sets, chain, findings } = result
  const algorithms = [...new Set(signatures.map(({ algorithm_text }) => algorithm_text))]
  return [
    panel.banner(TONES[verdict], domain, {
      badge: dnssec_enabled ? 'SECURED' : 'UNSECURED',
      detail: SUMMARY[verdict],
    }),
    panel.tiles(
      {
        label: 'Security Status',
        value: { text: dnssec_enabled ? 'ENABLED' : 'DISABLED', tone: TONES[verdict] },
        detail: verdict,
      },
      { label: 'Signatures', value: signatures.length },
      { label: 'Algorithms', value: algorithms.length, detail: algorithms.join(', ') },
    ),
    ...(error === null
      ? []
      : [panel.note('bad', ede ? `${error} (EDE ${ede.code}: ${ede.name})` : error, 'DNSSEC Validation Error')]),
    panel.note(verdict === 'secure' ? 'good' : 'info', assessmentOf(result), 'Assessment'),
    panel.steps(chain.map(step), 'The chain of trust'),
    panel.table(
      ['Record type', 'Algorithm', 'Signed by', 'Valid until', 'State'],
      signatures.map(row => signatureCells(row, result.validated_at)),
      { title: 'Signatures', scroll: true, empty: 'No signatures.' },
    ),
    ...(signatures.length
      ? [
          panel.list(
            signatures.map(({ record_type, name, signature, reason }) => ({
              text: mono(signature),
              detail: [
                `${record_type} of ${name === '.' ? 'the root zone' : name}`,
                ...(reason === null ? [] : [reason]),
              ].join(': '),
            })),
            { title: 'The signatures themselves', scroll: true },
          ),
        ]
      : []),
    panel.table(
      ['Record type', 'Answer', 'Verdict', 'Why'],
      record_sets.map(({ record_type, status, verdict, reason, denial, wildcards, target }) => [
        badge(record_type, 'info'),
        [
          target === null ? STATUS_WORDS[status] : `alias to ${target}: ${STATUS_WORDS[status]}`,
          ...(denial ? [`proven by ${denial}`] : []),
          ...(wildcards.length ? [`made from ${wildcards.join(', ')}`] : []),
        ].join('; '),
        badge(verdict, TONES[verdict]),
        reason ?? '',
      ]),
      { title: 'What was asked' },
    ),
    panel.checks(findings, 'Findings'),
  ]
}

const assessmentOf = ({ verdict, reason }: DnssecResult): string =>
  verdict === 'insecure' && reason ? `${reason} ${ASSESSMENT.insecure}` : ASSESSMENT[verdict]

function signatureCells(row: SignatureRow, now: string) {
  const [word, tone] = SIGNATURE_STATES[row.state]
  return [
    { ...badge(row.record_type, 'info'), title: row.name },
    `${row.algorithm_text} (${row.algorithm_number})`,
    mono(`${row.signed_by} ${row.key_tag}`),
    `${dayOf(Date.parse(row.valid_until) / 1000)}, ${remaining(Date.parse(row.valid_until) - Date.parse(now))}`,
    { ...badge(word, tone), ...(row.reason !== null && { title: row.reason }) },
  ]
}

const HOUR_MS = 3_600_000

/** How far away a moment is: "in 18 days", "6 hours ago". */
function remaining(milliseconds: number): string {
  const hours = Math.floor(Math.abs(milliseconds) / HOUR_MS)
  const [count, unit] = hours < 48 ? [hours, 'hour'] : [Math.floor(hours / 24), 'day']
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`
  return milliseconds < 0 ? `${words} ago` : `in ${words}`
}

/** One zone in the words of a lesson: what its parent vouches for, which keys it has, and whether that fits. */
function step({ zone, parent, on_path, verdict, reason, ds, keys }: ChainZone) {
  const place = parent === null ? 'the root zone' : zone
  const vouched = ds
    .filter(({ state }) => state === 'matches')
    .map(({ key_tag, digest_text }) => `key ${key_tag} (${digest_text})`)
    .join(' and of ')
  const detail = [
    reason ??
      (parent === null
        ? `Trust begins here: this program knows the digest of ${vouched} beforehand.`
        : `The DS record in ${parent === '.' ? 'the root zone' : parent} holds the digest of ${vouched}, and that key signs the zone’s keys.`),
    ...(on_path ? [] : ['An alias leads here.']),
  ].join(' ')
  const lines = keys.map(
    ({ key_tag, role, bits, algorithm_text, anchored }) =>
      `${role} ${key_tag}  ${algorithm_text}${bits && algorithm_text.startsWith('RSA') ? `, ${bits} bits` : ''}${anchored ? '  ← vouched for' : ''}`,
  )
  return { title: `${place}: ${verdict}`, detail, ...(lines.length && { code: lines.join('\n') }) }
}
