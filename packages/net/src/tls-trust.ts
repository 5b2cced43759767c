import { Problem, type TlsChainObservation, type TlsObservation } from '@assay/kit'
import type { Door } from './egress.ts'
import { asNetworkProblem } from './failure.ts'
import type { Tls } from './tls.ts'
import { CONNECT_MS } from './tls-prober.ts'
import { ALPN } from './tls-questions.ts'

/** Certificates that Node names on the way to a root. */
const MAX_CHAIN = 10

interface TrustParts {
  door: Door
  tls: Tls
  address: string
  port: number
  name: string
  isAddress: boolean
  answerMs: number
}

/** What Node says of the certificate, as a browser would, and the chain of servers that encrypt theirs. */
export async function checkTrust({ door, tls, address, port, name, isAddress, answerMs }: TrustParts): Promise<{
  trust: TlsObservation['trust']
  protocol?: string
  chain: TlsChainObservation[]
}> {
  try {
    const plain = await door.connect({ address, port, purpose: 'tls' }, CONNECT_MS)
    const { socket, problem } = await tls.secure(plain, {
      name,
      isAddress,
      protocols: ALPN,
      acceptBadCertificate: true,
      timeoutMs: answerMs,
    })
    try {
      const protocol = socket.alpnProtocol || undefined
      const certificates: Uint8Array<ArrayBuffer>[] = []
      let at = socket.getPeerX509Certificate()
      while (at && certificates.length < MAX_CHAIN) {
        certificates.push(new Uint8Array(at.raw))
        at = at.issuerCertificate
      }
      return {
        trust: { checked: true, ...(problem && { problem }) },
        ...(protocol && { protocol }),
        chain: certificates.length ? [{ kind: 'any', certificates, reordered: true }] : [],
      }
    } finally {
      socket.destroy()
    }
  } catch (error) {
    door.budget.check()
    const problem = asNetworkProblem(error)
    if (!(problem instanceof Problem) || problem.code === 'refused') throw problem
    const words = [problem.message, problem.detail].filter(Boolean).join('. ')
    return { trust: { checked: false, problem: words }, chain: [] }
  }
}
