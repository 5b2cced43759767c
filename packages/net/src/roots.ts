/** The roots that this machine trusts, found by name, and from which list each is. */

import { getCACertificates } from 'node:tls'
import type { TrustedRoot } from '@assay/kit'
import { parsePem } from '@assay/lib/asn1/pem'
import { parseCertificate } from '@assay/lib/x509/certificate'

export type Roots = (certificate: Uint8Array) => TrustedRoot[]

/** Reads the lists when first asked, which takes a moment; afterwards it is a look into a table. */
export function createRoots(own: readonly string[] = []): Roots {
  let table: Map<string, TrustedRoot[]> | undefined
  return certificate => {
    table ??= readRoots(own)
    try {
      return table.get(parseCertificate(Uint8Array.from(certificate)).issuer.canonical) ?? []
    } catch (error) {
      if (error instanceof RangeError) return []
      throw error
    }
  }
}

function readRoots(own: readonly string[]): Map<string, TrustedRoot[]> {
  const table = new Map<string, TrustedRoot[]>()
  const seen = new Set<string>()
  const lists = [
    ['Mozilla', getCACertificates('bundled')],
    ['system', getCACertificates('system')],
    ['own', [...getCACertificates('extra'), ...own]],
  ] as const
  for (const [store, pems] of lists) {
    for (const pem of pems) {
      for (const { bytes } of parsePem(pem)) {
        const key = String(bytes)
        if (seen.has(key)) continue
        seen.add(key)
        const name = nameOf(bytes)
        if (name !== undefined) table.set(name, [...(table.get(name) ?? []), { certificate: bytes, store }])
      }
    }
  }
  return table
}

/** A root that cannot be read vouches for nobody. */
function nameOf(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  try {
    return parseCertificate(bytes).subject.canonical
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
