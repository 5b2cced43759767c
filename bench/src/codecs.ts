import { randomFillSync } from 'node:crypto'
import { decodeBase32, encodeBase32 } from '@assay/lib/codec/base32'
import { decodeBase64, encodeBase64 } from '@assay/lib/codec/base64'
import { decodeHex, encodeHex } from '@assay/lib/codec/hex'
import CryptoJs from 'crypto-js'
import { competeInAll, type Peer } from './contest.ts'
import type { Row } from './table.ts'

const MIB = 1_048_576
const SIZE_MIB = 16
/** What crypto-js is given: it takes seconds for the whole. */
const SHORT_MIB = 1
const rules = { strict: false, padding: true } as const

/** Bytes as text and back; the limit is Buffer, which is compiled and loses what it does not understand. */
export function measureCodecs(): Promise<Row[]> {
  const bytes = randomFillSync(new Uint8Array(SIZE_MIB * MIB))
  const buffer = Buffer.from(bytes.buffer)
  const words = CryptoJs.lib.WordArray.create(bytes.subarray(0, SHORT_MIB * MIB))
  const [shortBase64, shortHex] = [CryptoJs.enc.Base64.stringify(words), CryptoJs.enc.Hex.stringify(words)]
  const [base64, hex, base32] = [
    encodeBase64(bytes, 'standard', true),
    encodeHex(bytes, 'None', 'lower'),
    encodeBase32(bytes, 'RFC4648', true),
  ]
  const limit = (work: () => unknown): Peer => ({ name: 'Buffer', work })
  const script = (work: () => unknown): Peer => ({ name: 'crypto-js', work: () => scripted(work), goal: 1 })
  return competeInAll(
    [
      {
        what: 'Base64',
        ours: () => encodeBase64(bytes, 'standard', true),
        peers: [limit(() => buffer.toString('base64')), script(() => CryptoJs.enc.Base64.stringify(words))],
      },
      {
        what: 'Base64 read',
        ours: () => decodeBase64(base64, 'standard', rules),
        peers: [limit(() => Buffer.from(base64, 'base64')), script(() => CryptoJs.enc.Base64.parse(shortBase64))],
      },
      {
        what: 'hexadecimal',
        ours: () => encodeHex(bytes, 'None', 'lower'),
        peers: [limit(() => buffer.toString('hex')), script(() => CryptoJs.enc.Hex.stringify(words))],
      },
      {
        what: 'hexadecimal read',
        ours: () => decodeHex(hex, 'Automatic'),
        peers: [limit(() => Buffer.from(hex, 'hex')), script(() => CryptoJs.enc.Hex.parse(shortHex))],
      },
      { what: 'Base32', ours: () => encodeBase32(bytes, 'RFC4648', true), limitMs: 1_000 },
      { what: 'Base32 read', ours: () => decodeBase32(base32, 'RFC4648', rules), limitMs: 1_000 },
    ].map(contest => ({
      ...contest,
      what: `${contest.what}, ${SIZE_MIB} MiB`,
      amount: { count: SIZE_MIB, unit: 'MiB' },
    })),
  )
}

/** Milliseconds as if it were the whole. */
function scripted(work: () => unknown): number {
  const start = performance.now()
  work()
  return (performance.now() - start) * (SIZE_MIB / SHORT_MIB)
}
