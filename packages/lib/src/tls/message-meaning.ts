/** What each message of a handshake is for, in plain words. RFC 8446 §4, RFC 5246 §7. */

export interface MessageMeaning {
  title: string
  meaning: string
  clause: string
}

type Era = 'TLS 1.3' | 'before'
const both = (title: string, meaning: string, clause: string) => ({ title, meaning, clause })

const meanings: Readonly<Record<string, MessageMeaning | Readonly<Record<Era, MessageMeaning>>>> = {
  client_hello: both(
    'ClientHello',
    'The client says which versions, cipher suites and groups it can use, and which host it wants.',
    'RFC 8446 §4.1.2',
  ),
  hello_retry_request: both(
    'HelloRetryRequest',
    'The server wants a key share for another group, so the client has to begin again: one more round trip.',
    'RFC 8446 §4.1.4',
  ),
  server_hello: {
    'TLS 1.3': {
      title: 'ServerHello',
      meaning:
        'The server chooses the version and the suite, and sends its key share. Everything after it is encrypted.',
      clause: 'RFC 8446 §4.1.3',
    },
    before: {
      title: 'ServerHello',
      meaning: 'The server chooses the version and the suite.',
      clause: 'RFC 5246 §7.4.1.3',
    },
  },
  encrypted_extensions: both(
    'EncryptedExtensions',
    'What else the server agrees to, such as the protocol above TLS, already out of sight of others.',
    'RFC 8446 §4.3.1',
  ),
  certificate_request: both(
    'CertificateRequest',
    'The server asks the client for a certificate too.',
    'RFC 8446 §4.3.2',
  ),
  certificate: {
    'TLS 1.3': { title: 'Certificate', meaning: 'The certificates that say who it is.', clause: 'RFC 8446 §4.4.2' },
    before: {
      title: 'Certificate',
      meaning: 'The certificates that say who it is, readable for everyone on the way.',
      clause: 'RFC 5246 §7.4.2',
    },
  },
  compressed_certificate: both('CompressedCertificate', 'The certificates, compressed.', 'RFC 8879 §4'),
  certificate_status: both(
    'CertificateStatus',
    'The answer of the authority to whether the certificate was revoked.',
    'RFC 6066 §8',
  ),
  server_key_exchange: both(
    'ServerKeyExchange',
    'The server’s half of the key exchange, signed with the key of the certificate.',
    'RFC 5246 §7.4.3',
  ),
  server_hello_done: both('ServerHelloDone', 'The server has said all it has to say for now.', 'RFC 5246 §7.4.5'),
  certificate_verify: both(
    'CertificateVerify',
    'A signature over everything so far proves that the key of the certificate is at hand.',
    'RFC 8446 §4.4.3',
  ),
  client_key_exchange: both(
    'ClientKeyExchange',
    'The client’s half of the key exchange; both now have the same secret.',
    'RFC 5246 §7.4.7',
  ),
  change_cipher_spec: {
    'TLS 1.3': {
      title: 'ChangeCipherSpec',
      meaning: 'It means nothing in TLS 1.3, and is there for devices on the way that expect it.',
      clause: 'RFC 8446 §D.4',
    },
    before: {
      title: 'ChangeCipherSpec',
      meaning: 'From here on this side encrypts.',
      clause: 'RFC 5246 §7.1',
    },
  },
  finished: both(
    'Finished',
    'A checksum over the whole handshake, made with the new secret: nobody has changed anything on the way.',
    'RFC 8446 §4.4.4',
  ),
  new_session_ticket: both(
    'NewSessionTicket',
    'With this ticket the next connection can skip most of the handshake.',
    'RFC 8446 §4.6.1',
  ),
  alert: both('Alert', 'Something is wrong, or one side says goodbye.', 'RFC 8446 §6'),
  application_data: both(
    'Application data',
    'The server already says something in the protocol above.',
    'RFC 8446 §5.1',
  ),
  hello_request: both('HelloRequest', 'The server asks for another handshake.', 'RFC 5246 §7.4.1.1'),
  key_update: both('KeyUpdate', 'New keys are used from here on.', 'RFC 8446 §4.6.3'),
}

export function messageMeaning(name: string, era: Era): MessageMeaning {
  const found = meanings[name]
  if (!found) return { title: name, meaning: 'A message that is not known here.', clause: 'RFC 8446 §B.3' }
  return 'title' in found ? (found as MessageMeaning) : (found as Readonly<Record<Era, MessageMeaning>>)[era]
}
