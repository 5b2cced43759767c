import { badge, type CellData, mono, type Panel, panel, type Tone } from '@assay/kit'
import { visible } from '@assay/lib/x509/text'
import type { SslChain } from './ssl-chain.ts'
import { colons } from './x509.show.ts'

const sources: Readonly<Record<SslChain['path'][number]['source'], readonly [words: string, tone: Tone]>> = {
  sent: ['SENT', 'good'],
  fetched: ['FETCHED', 'warn'],
  root: ['ROOT', 'info'],
}

export function showSslChain(result: SslChain): Panel[] {
  const { domain, port, address, trusted, faults, sent, path, root, root_store, findings, openssl } = result
  return [
    panel.banner(trusted ? 'good' : 'bad', domain, {
      badge: trusted ? 'TRUSTED' : 'NOT TRUSTED',
      detail: `${address}, port ${port}`,
    }),
    panel.tiles(
      { label: 'Certificates Sent', value: sent },
      {
        label: 'Faults',
        value: { text: String(faults.length), tone: faults.length ? 'bad' : 'good' },
        detail: faults.join(', '),
      },
      { label: 'Root', value: visible(root ?? 'not found'), detail: storeWords(root_store) },
      { label: 'First to End', value: firstEnd(result) },
    ),
    panel.steps(
      path.map(step => stepOf(result, step)),
      'The chain, from the server up',
    ),
    panel.checks(
      findings.map(({ name, verdict, detail, clause }) => ({
        name,
        verdict,
        detail: visible(detail),
        ...(clause && { clause }),
      })),
      'Checks',
    ),
    ...(openssl ? [panel.facts([['OpenSSL says, of what was sent alone', openssl]], 'Second opinion')] : []),
    ...fetchPanels(result),
    ...ocspPanels(result),
    ...result.certificates.map(certificateSection),
  ]
}

const storeWords = (store: string | null) =>
  store === 'Mozilla'
    ? 'in Mozilla’s list'
    : store === 'system'
      ? 'in the list of this system'
      : store
        ? 'added here'
        : 'in no list'

function firstEnd({ certificates, path }: SslChain): CellData {
  const days = path.flatMap(({ index }) => certificates[index]?.validity.days_left ?? [])
  const least = Math.min(...days)
  if (!days.length) return { text: 'unknown' }
  return { text: `${least} days`, tone: least < 0 ? 'bad' : least < 14 ? 'warn' : 'good' }
}

function stepOf({ certificates, root_store }: SslChain, { title, index, source }: SslChain['path'][number]) {
  const report = certificates[index]
  const from =
    source === 'sent'
      ? `sent as number ${report?.sent_as ?? '?'}`
      : source === 'root'
        ? storeWords(root_store)
        : 'not sent; fetched from its address'
  const until = report ? `, until ${report.validity.not_after.slice(0, 10)}` : ''
  return {
    title: visible(title),
    detail: visible(
      `${from}${until}. ${report?.public_key.description ?? ''}, signed with ${report?.signature.algorithm ?? ''}.`,
    ),
  }
}

function fetchPanels({ fetched }: SslChain): Panel[] {
  if (!fetched.length) return []
  return [
    panel.table(
      ['Address of the issuer', 'Outcome'],
      fetched.map(({ url, problem }) => [
        mono(visible(url)),
        problem ? { text: visible(problem), tone: 'bad' as const } : 'fetched',
      ]),
      { title: 'Looked for' },
    ),
  ]
}

function ocspPanels({ ocsp }: SslChain): Panel[] {
  if (!ocsp) return []
  const { status, response, this_update, next_update, revoked_at, reason, signature, faults } = ocsp
  return [
    panel.facts(
      [
        ['Status', badge(status.toUpperCase(), status === 'good' ? 'good' : status === 'revoked' ? 'bad' : 'warn')],
        ['Response', response],
        ['As of', this_update ?? 'not said'],
        ['Until', next_update ?? 'not said'],
        ...(revoked_at ? ([['Revoked', `${revoked_at}${reason ? ` (${reason})` : ''}`]] as const) : []),
        ['Signature', signature],
        ...(faults.length ? ([['Faults', faults.join('; ')]] as const) : []),
      ],
      'Stapled OCSP response',
    ),
  ]
}

function certificateSection(report: SslChain['certificates'][number], index: number): Panel {
  const { title, subject, issuer, validity, names, public_key, signature, fingerprints, serial, pem, source } = report
  const [words, tone] = sources[source]
  return panel.section(
    `${index + 1}. ${visible(title)}`,
    [
      panel.facts([
        ['Subject', visible(subject.text) || '(empty)'],
        ['Issuer', visible(issuer.text) || '(empty)'],
        ['Valid', `${validity.not_before} to ${validity.not_after} (${validity.status})`],
        ...(names.length ? ([['Names', mono(namesOf(names))]] as const) : []),
        ['Public key', public_key.description],
        ['Signed with', signature.algorithm],
        ['Serial number', mono(colons(serial))],
        ['SHA-256', mono(colons(fingerprints.sha256))],
        ['Pin (RFC 7469)', mono(fingerprints.pin_sha256)],
      ]),
      panel.code(pem, { title: 'PEM' }),
    ],
    { badge: badge(words, tone) },
  )
}

const MOST_NAMES = 20

function namesOf(names: readonly { value: string }[]): string {
  const more = names.length - MOST_NAMES
  const shown = names.slice(0, MOST_NAMES).map(({ value }) => visible(value))
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}
