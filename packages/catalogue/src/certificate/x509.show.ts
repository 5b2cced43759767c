import { badge, type Cell, type Check, mono, type Panel, panel, type Tone } from '@assay/kit'
import type { Chain } from '@assay/lib/x509/chain'
import type { CertificateReport } from '@assay/lib/x509/describe'
import { visible } from '@assay/lib/x509/text'

interface Report {
  certificates: readonly CertificateReport[]
  chain: Chain
}

/** The panels of a certificate: verdict, facts, checks, extensions; in a chain, one section for each. */
export function showCertificates({ certificates, chain }: Report): Panel[] {
  const [only] = certificates
  if (certificates.length === 1 && only) return [banner(only), ...bodyOf(only, certificates)]
  return [
    ...chainPanels(certificates, chain),
    ...certificates.map((certificate, index) =>
      panel.section(`${index + 1}. ${certificate.title}`, bodyOf(certificate, certificates), {
        badge: verdict(certificate),
      }),
    ),
  ]
}

const tones: Readonly<Record<string, Tone>> = { valid: 'good', expired: 'bad', 'not yet valid': 'bad' }

function verdict({ validity: { status, days_left } }: CertificateReport) {
  return status === 'valid' && days_left < 30
    ? badge(`${days_left} DAYS LEFT`, 'warn')
    : badge(status.toUpperCase(), tones[status] ?? 'neutral')
}

function banner(certificate: CertificateReport): Panel {
  const { title, validity, issuer } = certificate
  const { text, tone } = verdict(certificate)
  const failed = certificate.findings.some(finding => finding.verdict === 'fail')
  const detail = `${validity.not_before.slice(0, 10)} to ${validity.not_after.slice(0, 10)}, issued by ${issuer.text || 'nobody'}`
  return panel.banner(tone === 'good' && failed ? 'warn' : (tone ?? 'neutral'), title, { badge: text, detail })
}

function bodyOf(certificate: CertificateReport, all: readonly CertificateReport[]): Panel[] {
  return [
    panel.facts(facts(certificate)),
    ...(certificate.names.length
      ? [
          panel.table(
            ['Kind', 'Name'],
            certificate.names.map(({ type, value }) => [type, mono(visible(value))]),
            { title: 'Names', scroll: true },
          ),
        ]
      : []),
    panel.checks([...certificate.findings.map(toCheck), signatureCheck(certificate, all)], 'Checks'),
    extensionTable(certificate),
    panel.facts(
      [
        ['SHA-256', mono(colons(certificate.fingerprints.sha256))],
        ['SHA-1', mono(colons(certificate.fingerprints.sha1))],
        ['SHA-256 of the public key', mono(certificate.fingerprints.spki_sha256)],
        ['Pin (RFC 7469)', mono(certificate.fingerprints.pin_sha256)],
      ],
      'Fingerprints',
    ),
    panel.code(certificate.pem, { title: 'PEM' }),
  ]
}

/** As openssl prints fingerprints. */
export const colons = (hex: string): string => (hex.match(/../g) ?? []).join(':').toUpperCase()

type Fact = readonly [label: string, value: string | ReturnType<typeof mono>]

function facts({
  subject,
  issuer,
  validity,
  serial,
  version,
  public_key,
  signature,
  self_signed,
  is_authority,
}: CertificateReport): Fact[] {
  const left = validity.status === 'valid' ? `${validity.days_left} days left` : validity.status
  return [
    ['Subject', subject.text || '(empty)'],
    ['Issuer', issuer.text || '(empty)'],
    ['Valid from', validity.not_before],
    ['Valid until', `${validity.not_after} (${left})`],
    ['Serial number', mono(colons(serial))],
    ['Public key', public_key.description],
    ...keyFacts(public_key),
    ['Signed with', signatureWords(signature)],
    ['Role', is_authority ? 'Certificate authority' : 'End entity'],
    ['Self-signed', { no: 'No', yes: 'Yes', unproven: 'It says so, but the signature does not prove it' }[self_signed]],
    ['Version', String(version)],
  ]
}

function keyFacts(key: CertificateReport['public_key']): Fact[] {
  if ('modulus' in key)
    return [
      ['Modulus', mono(key.modulus)],
      ['Exponent', mono(key.exponent)],
    ]
  if ('point' in key) return [['Point', mono(key.point)]]
  return 'problem' in key ? [['Key', key.problem]] : []
}

function signatureWords({ algorithm, scheme, hash, salt_bytes, mgf_hash }: CertificateReport['signature']): string {
  const words = [scheme ?? algorithm, ...(hash ? [`with ${hash}`] : [])].join(' ')
  return salt_bytes === undefined ? words : `${words}, ${salt_bytes} bytes of salt, mask with ${mgf_hash}`
}

const toCheck = ({ name, verdict, detail, clause }: CertificateReport['findings'][number]): Check => ({
  name,
  verdict,
  detail,
  ...(clause && { clause }),
})

/** The signature against the issuer, where that one is here too. */
function signatureCheck({ signature, self_signed }: CertificateReport, all: readonly CertificateReport[]): Check {
  const { checked, issuer_index, issuer_faults } = signature
  const by = issuer_index === null ? undefined : all[issuer_index]
  const who =
    self_signed !== 'no' && by?.signature.issuer_index === issuer_index
      ? 'its own key'
      : `the key of ${by?.title ?? 'its issuer'}`
  const faults = issuer_faults.length ? ` But ${issuer_faults.join(', and ')}.` : ''
  if (checked === 'valid') {
    return {
      name: 'Signature',
      verdict: faults ? 'warn' : 'pass',
      detail: `It was made with ${who}.${faults}`,
      clause: 'RFC 5280 §6.1.3',
    }
  }
  const detail = `${signature.reason ?? ''}${faults}`
  return { name: 'Signature', verdict: checked === 'invalid' ? 'fail' : 'unknown', detail, clause: 'RFC 5280 §6.1.3' }
}

/** Lines of one extension in the table; a certificate for a hundred names has its names in a table of their own. */
const MOST_LINES = 12

function extensionTable({ extensions }: CertificateReport): Panel {
  const rows = extensions.flatMap(({ title, critical, lines, meaning, problem, oid, name }) => {
    const more = lines.length - MOST_LINES
    const shown = more > 0 ? [...lines.slice(0, MOST_LINES), `and ${more} more`] : lines.length ? lines : ['']
    const words: Cell = problem
      ? { text: `It cannot be read: ${problem}.`, tone: 'bad' }
      : (meaning ?? `Not known here (${oid}).`)
    const head: Cell = { text: critical ? `${title} (critical)` : title, title: `${name} ${oid}` }
    return shown.map((line, i): Cell[] => (i === 0 ? [head, mono(line), words] : ['', mono(line), '']))
  })
  return panel.table(['Extension', 'Value', 'Meaning'], rows, { title: 'Extensions', empty: 'There are none.' })
}

const orders: Readonly<Record<Chain['order'], readonly [tone: Tone, words: string]>> = {
  single: ['info', 'One certificate'],
  'leaf first': ['good', 'The chain is in the right order, each certificate signed by the next'],
  'root first': ['warn', 'The chain is upside down: servers must send the end entity first'],
  mixed: ['warn', 'The certificates are not in order, or not all of one chain'],
  unrelated: ['warn', 'No certificate here issued another'],
}

function chainPanels(certificates: readonly CertificateReport[], { order, path, complete, unused }: Chain): Panel[] {
  const [tone, words] = orders[order]
  const broken = path.some(index => certificates[index]?.signature.checked === 'invalid')
  const names = (indexes: readonly number[]) =>
    indexes.map(index => `${index + 1}. ${certificates[index]?.title ?? ''}`)
  return [
    panel.banner(broken ? 'bad' : tone, `${certificates.length} certificates`, {
      badge: broken ? 'BROKEN' : complete ? 'COMPLETE' : 'NO ROOT',
      detail: broken ? 'A signature in the chain does not hold.' : `${words}.`,
    }),
    panel.list(
      names(path).map((text, i) => ({ text, detail: i === 0 ? 'end of the chain' : `issued ${names(path)[i - 1]}` })),
      { title: complete ? 'Chain up to a self-signed root' : 'Chain as far as it goes' },
    ),
    ...(unused.length ? [panel.note('info', `Not needed for the chain: ${names(unused).join(', ')}.`)] : []),
  ]
}
