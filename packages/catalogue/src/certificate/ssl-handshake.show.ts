import { badge, type Cell, mono, type Panel, panel } from '@assay/kit'
import { visible } from '@assay/lib/x509/text'
import type { SslHandshake } from './ssl-handshake.ts'

const yesNo = (value: boolean | null): string => (value === null ? 'could not tell' : value ? 'yes' : 'no')

export function showSslHandshake(result: SslHandshake): Panel[] {
  const { domain, address, port, complete, reason, version, alert } = result
  const old = version !== null && version !== 'TLS 1.2' && version !== 'TLS 1.3'
  return [
    panel.banner(complete ? (old ? 'warn' : 'good') : 'bad', domain, {
      badge: complete ? (version ?? 'TLS') : 'REFUSED',
      detail: `${address}, port ${port}`,
    }),
    ...(complete ? [] : [panel.note('bad', visible(reason ?? ''), alert ? `Alert ${alert.name}` : 'Not finished')]),
    ...(version === null ? [] : negotiatedPanels(result)),
    panel.steps(result.messages.map(stepOf), 'The messages, in order'),
    ...offerPanels(result),
    ...certificatePanels(result),
    ...(result.fault ? [panel.note('warn', `Not all could be read: ${result.fault}.`)] : []),
  ]
}

function stepOf({ from, at_ms, title, meaning, bytes, encrypted, clause }: SslHandshake['messages'][number]) {
  const who = from === 'client' ? 'Client' : 'Server'
  return {
    title: `${who}: ${title}`,
    detail: `${meaning} ${bytes} bytes${encrypted ? ', encrypted' : ''}, after ${at_ms} ms (${clause}).`,
  }
}

function negotiatedPanels(result: SslHandshake): Panel[] {
  const { version, cipher_suite, cipher_bits, cipher_strength, group, timings, session } = result
  const weak = cipher_strength === 'weak' || cipher_strength === 'insecure'
  return [
    panel.tiles(
      { label: 'Version', value: version ?? 'none' },
      { label: 'Group', value: group ?? 'none', detail: result.post_quantum ? 'post-quantum' : '' },
      { label: 'ALPN', value: visible(result.alpn ?? 'none') },
      { label: 'Handshake', value: timings.handshake_ms === null ? 'not finished' : `${timings.handshake_ms} ms` },
    ),
    panel.facts(
      [
        [
          'Cipher suite',
          {
            ...mono(cipher_suite ?? 'not known'),
            ...(weak && { tone: 'bad' as const }),
            title: result.cipher_suite_openssl ?? '',
          },
        ],
        ['Strength', `${cipher_bits ?? '?'} bits, ${cipher_strength ?? 'not known'}`],
        ['Forward secrecy', yesNo(result.forward_secrecy)],
        ['Signature of the server', mono(result.signature_scheme ?? 'not said')],
        ...(result.dh_prime_bits ? ([['Diffie-Hellman prime', `${result.dh_prime_bits} bits`]] as const) : []),
        ['Extended main secret', yesNo(result.extended_master_secret)],
        ...(version === 'TLS 1.3' ? [] : ([['Secure renegotiation', yesNo(result.secure_renegotiation)]] as const)),
        ['Asked for another key share', yesNo(result.hello_retry)],
        ['Session tickets', ticketWords(session.tickets)],
        ['Session resumed on a second connection', yesNo(session.resumed)],
        ['Stapled OCSP response', yesNo(result.ocsp_stapled)],
        ['Asks the client for a certificate', yesNo(result.client_certificate_asked)],
      ],
      'Agreed on',
    ),
    panel.table(
      ['Part', 'Time'],
      [
        ['Finding the address (DNS)', mono(`${timings.dns_ms} ms`)],
        ['Connecting (TCP)', mono(`${timings.connect_ms} ms`)],
        ['First answer in TLS', mono(timings.first_answer_ms === null ? '' : `${timings.first_answer_ms} ms`)],
        ['Whole handshake', mono(timings.handshake_ms === null ? '' : `${timings.handshake_ms} ms`)],
      ],
      { title: 'Time' },
    ),
  ]
}

function ticketWords(tickets: SslHandshake['session']['tickets']): string {
  const [first] = tickets
  if (!first) return 'none'
  return `${tickets.length}, good for ${first.lifetime_seconds} seconds`
}

function offerPanels({ offered }: SslHandshake): Panel[] {
  if (!offered) return []
  return [
    panel.section('What the client offered', [
      panel.facts([
        ['Versions', offered.versions.join(', ')],
        ['Groups', mono(offered.groups.join(', '))],
        ['Key shares', mono(offered.key_shares.join(', ') || 'none')],
        ['ALPN', mono(offered.alpn.join(', '))],
        ['Server name', mono(offered.server_name ?? 'none')],
      ]),
      panel.list(
        offered.cipher_suites.map(name => ({ text: mono(name) })),
        { title: 'Cipher suites', scroll: true },
      ),
    ]),
  ]
}

function certificatePanels({ certificate, certificates, timestamps, trust, trusted }: SslHandshake): Panel[] {
  if (!certificate) return []
  const { days_left } = certificate
  const trustCell: Cell = trusted === null ? 'not checked' : { text: trust ?? '', tone: trusted ? 'good' : 'bad' }
  return [
    panel.section(
      `Certificate: ${visible(certificate.title)}`,
      [
        panel.facts([
          ['Subject', visible(certificate.subject) || '(empty)'],
          ['Issuer', visible(certificate.issuer) || '(empty)'],
          [
            'Until',
            {
              text: `${certificate.not_after} (${days_left} days left)`,
              ...(days_left < 0 && { tone: 'bad' as const }),
            },
          ],
          ['Names', mono(visible(certificate.names.slice(0, 20).join(', ')))],
          ['Public key', certificate.public_key],
          ['Certificates sent', certificates],
          [
            'Timestamps of transparency logs',
            `${timestamps?.in_certificate ?? 0} in the certificate, ${timestamps?.in_handshake ?? 0} in the handshake`,
          ],
          ['OpenSSL says', trustCell],
          ['SHA-256', mono(certificate.fingerprint_sha256)],
        ]),
      ],
      {
        badge:
          trusted === null
            ? badge('NOT CHECKED', 'neutral')
            : trusted
              ? badge('TRUSTED', 'good')
              : badge('NOT TRUSTED', 'bad'),
      },
    ),
  ]
}
