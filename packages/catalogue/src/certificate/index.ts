import { csrGenerator } from './csr-generator.ts'
import { selfSignedCertificate } from './self-signed-certificate.ts'
import { sslChain } from './ssl-chain.ts'
import { sslHandshake } from './ssl-handshake.ts'
import { sslPinning } from './ssl-pinning.ts'
import { x509 } from './x509.ts'

/** The certificate tools in page order. */
export const certificate = [x509, sslChain, sslHandshake, sslPinning, selfSignedCertificate, csrGenerator]
