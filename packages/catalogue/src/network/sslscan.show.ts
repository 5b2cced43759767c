import { badge, type CellData, mono, type Panel, panel, type Tone } from '@assay/kit'
import { visible } from '@assay/lib/x509/text'
import type { SslscanResult } from './sslscan.ts'

const gradeTones: Readonly<Record<SslscanResult['grade'], Tone>> = {
  A: 'good',
  B: 'good',
  C: 'warn',
  D: 'warn',
  F: 'bad',
}
const strengthTones: Readonly<Record<SslscanResult['ciphers'][number]['strength'], Tone>> = {
  strong: 'good',
  acceptable: 'neutral',
  weak: 'warn',
  insecure: 'bad',
}
const deprecated = new Set(['SSLv2', 'SSLv3', 'TLSv1.0', 'TLSv1.1'])

const yesNo = (value: boolean | null): string => (value === null ? 'could not tell' : value ? 'yes' : 'no')

export function showSslscan(result: SslscanResult): Panel[] {
  const { domain, port, address, grade, score, protocols, ciphers, groups, findings, server_preference } = result
  const forward = ciphers.filter(({ forward_secrecy }) => forward_secrecy).length
  const accepted = protocols.filter(({ supported }) => supported)
  const older = accepted.filter(({ name }) => name !== 'SSLv2' && name !== 'TLSv1.3')
  const bad = findings.filter(({ verdict }) => verdict === 'fail').length
  return [
    panel.banner(gradeTones[grade], domain, { badge: `GRADE ${grade}`, detail: `${address}, port ${port}` }),
    panel.tiles(
      { label: 'Score', value: { text: `${score}`, tone: gradeTones[grade] }, detail: 'of 100' },
      { label: 'Cipher Suites', value: ciphers.length, detail: `${forward} with forward secrecy` },
      { label: 'Findings', value: { text: `${bad}`, tone: bad ? 'bad' : 'good' }, detail: 'that break a rule' },
      { label: 'Certificate', value: badge(trustWord(result.trusted), trustTone(result.trusted)) },
    ),
    panel.table(
      ['Points', 'For'],
      [
        ...result.score_sum.map(({ reason, points }) => [mono(points > 0 ? `${points}` : `−${-points}`), reason]),
        [mono(score, gradeTones[grade]), `Grade ${grade}. A from 90, B from 80, C from 65, D from 50; never under 0.`],
      ],
      { title: 'How the grade comes about' },
    ),
    panel.table(['Protocol', 'Accepted', 'Remark'], protocols.map(protocolRow), { title: 'Protocols' }),
    panel.checks(
      findings.map(({ name, verdict, detail, clause }) => ({ name, verdict, detail, ...(clause && { clause }) })),
      'Findings',
    ),
    panel.table(
      ['Protocol', 'Suite', 'Bits', 'Forward secrecy', 'Strength'],
      ciphers.map(({ protocol, name, openssl_name, bits, forward_secrecy, strength }) => [
        mono(protocol),
        { ...mono(name), ...(openssl_name && { title: openssl_name }) },
        bits,
        forward_secrecy ? 'yes' : { text: 'no', tone: 'warn' as const },
        badge(strength, strengthTones[strength]),
      ]),
      { title: 'Cipher suites, in the order of the server’s choice', scroll: true },
    ),
    panel.facts([
      ['Who chooses the suite', server_preference ?? 'nobody: there is no choice'],
      ['Protocol by ALPN', result.alpn ? mono(visible(result.alpn)) : 'none'],
      ...(older.length
        ? ([
            ['Secure renegotiation', yesNo(result.features.secure_renegotiation)],
            ['Extended main secret', yesNo(result.features.extended_main_secret)],
            ['Session tickets', yesNo(result.features.session_tickets)],
            ['Compression', yesNo(result.features.compression)],
            ['Stapled OCSP response', yesNo(result.features.ocsp_stapling)],
          ] as const)
        : []),
      ...(accepted.length > 1 ? ([['Fallback is noticed', yesNo(result.features.fallback_scsv)]] as const) : []),
      ...(result.dh_prime_bits ? ([['Diffie-Hellman prime', `${result.dh_prime_bits} bits`]] as const) : []),
      ['Connections made', result.connections],
    ]),
    panel.table(
      ['Group', 'Security', 'Kind', 'Seen in'],
      groups.map(({ name, bits, post_quantum, protocols: seen }) => [
        mono(name),
        `${bits} bits`,
        post_quantum ? badge('POST-QUANTUM', 'good') : 'classical',
        seen.join(', '),
      ]),
      { title: 'Groups', empty: 'None: the key exchange is RSA.' },
    ),
    ...result.certificates.map(chainSection),
  ]
}

const trustWord = (trusted: boolean | null) => (trusted === null ? 'NOT CHECKED' : trusted ? 'TRUSTED' : 'NOT TRUSTED')
const trustTone = (trusted: boolean | null): Tone => (trusted === null ? 'neutral' : trusted ? 'good' : 'bad')

function protocolRow({
  name,
  supported,
  reason,
  incomplete,
}: SslscanResult['protocols'][number]): (CellData | string)[] {
  const old = deprecated.has(name)
  const word = supported === null ? 'could not tell' : supported ? 'yes' : 'no'
  const tone = supported === null ? 'neutral' : supported === old ? (old ? 'bad' : 'warn') : 'good'
  return [
    mono(name),
    badge(word, tone),
    incomplete ? 'The server stopped answering: there may be more suites.' : (reason ?? ''),
  ]
}

function chainSection({
  key,
  certificates,
  complete,
  certificate_transparency,
  order_fault,
}: SslscanResult['certificates'][number]): Panel {
  return panel.section(
    key === 'any' ? 'Certificate chain' : `Certificate chain, ${key} key`,
    [
      ...(order_fault ? [panel.note('warn', order_fault)] : []),
      panel.table(
        ['Subject', 'Issuer', 'Until', 'Key', 'Signature'],
        certificates.map(({ title, subject, issuer, not_after, days_left, public_key, signature }) => [
          { text: visible(title), title: visible(subject) },
          visible(issuer),
          { text: `${not_after.slice(0, 10)} (${days_left} days)`, ...(days_left < 0 && { tone: 'bad' as const }) },
          public_key,
          signature,
        ]),
        { empty: 'The certificates could not be read.' },
      ),
      panel.facts([
        ['Names', mono(visible(certificates[0]?.names.slice(0, 20).join(', ') ?? ''))],
        ['Root sent along', complete ? 'yes' : 'no, which is usual'],
        ['Certificate transparency', certificate_transparency ?? 'no timestamps'],
      ]),
    ],
    { detail: `${certificates.length} certificates` },
  )
}
