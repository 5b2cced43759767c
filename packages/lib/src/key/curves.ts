/**
 * Named curves: identifiers (RFC 5480 §2.1.1.1, SEC 2 §A.2.1, RFC 5639 §4.1), the bits of the field and of the order, and
 * their names in JOSE (RFC 7518 §6.2.1.1, RFC 8812 §3.1) and SSH (RFC 5656 §10.1).
 */
interface CurveRow {
  oid: string
  bits: number
  jose?: string
  /** From before RFC 8812, as Azure Key Vault still writes it; read only. */
  formerJose?: string
  ssh?: string
  aliases?: readonly string[]
}

const rows = {
  'P-192': { oid: '1.2.840.10045.3.1.1', bits: 192, aliases: ['secp192r1', 'prime192v1'] },
  'P-224': { oid: '1.3.132.0.33', bits: 224, aliases: ['secp224r1'] },
  'P-256': {
    oid: '1.2.840.10045.3.1.7',
    bits: 256,
    jose: 'P-256',
    ssh: 'nistp256',
    aliases: ['secp256r1', 'prime256v1'],
  },
  'P-384': { oid: '1.3.132.0.34', bits: 384, jose: 'P-384', ssh: 'nistp384', aliases: ['secp384r1'] },
  'P-521': { oid: '1.3.132.0.35', bits: 521, jose: 'P-521', ssh: 'nistp521', aliases: ['secp521r1'] },
  secp256k1: { oid: '1.3.132.0.10', bits: 256, jose: 'secp256k1', formerJose: 'P-256K' },
  brainpoolP160r1: { oid: '1.3.36.3.3.2.8.1.1.1', bits: 160 },
  brainpoolP160t1: { oid: '1.3.36.3.3.2.8.1.1.2', bits: 160 },
  brainpoolP192r1: { oid: '1.3.36.3.3.2.8.1.1.3', bits: 192 },
  brainpoolP192t1: { oid: '1.3.36.3.3.2.8.1.1.4', bits: 192 },
  brainpoolP224r1: { oid: '1.3.36.3.3.2.8.1.1.5', bits: 224 },
  brainpoolP224t1: { oid: '1.3.36.3.3.2.8.1.1.6', bits: 224 },
  brainpoolP256r1: { oid: '1.3.36.3.3.2.8.1.1.7', bits: 256 },
  brainpoolP256t1: { oid: '1.3.36.3.3.2.8.1.1.8', bits: 256 },
  brainpoolP320r1: { oid: '1.3.36.3.3.2.8.1.1.9', bits: 320 },
  brainpoolP320t1: { oid: '1.3.36.3.3.2.8.1.1.10', bits: 320 },
  brainpoolP384r1: { oid: '1.3.36.3.3.2.8.1.1.11', bits: 384 },
  brainpoolP384t1: { oid: '1.3.36.3.3.2.8.1.1.12', bits: 384 },
  brainpoolP512r1: { oid: '1.3.36.3.3.2.8.1.1.13', bits: 512 },
  brainpoolP512t1: { oid: '1.3.36.3.3.2.8.1.1.14', bits: 512 },
} as const satisfies Record<string, CurveRow>

export type CurveName = keyof typeof rows
export interface Curve extends CurveRow {
  name: CurveName
  /** Bytes of a coordinate and of a private key: the order of each of these curves has as many bits as its field. */
  bytes: number
}

const curves = new Map<CurveName, Curve>(
  (Object.keys(rows) as CurveName[]).map(name => [
    name,
    { name, bytes: Math.ceil(rows[name].bits / 8), ...rows[name] },
  ]),
)
const byOid = new Map([...curves.values()].map(curve => [curve.oid, curve]))

export function curveOf(name: CurveName): Curve {
  const curve = curves.get(name)
  if (!curve) throw new RangeError(`there is no curve ${name}`)
  return curve
}

export const curveByOid = (oid: string): Curve | undefined => byOid.get(oid)
const find = (match: (curve: Curve) => boolean) => [...curves.values()].find(match)
export const curveByJose = (name: string): Curve | undefined =>
  find(({ jose, formerJose }) => jose === name || formerJose === name)
export const curveBySsh = (name: string): Curve | undefined => find(({ ssh }) => ssh === name)
