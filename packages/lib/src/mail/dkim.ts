/** DKIM keys in the DNS and what is wrong with them. RFC 6376 §3.6.1, RFC 8301, RFC 8463. */
import { parseSequence, Reader } from '../asn1/der.ts'
import { bitLength } from '../asn1/integer.ts'
import { type Bytes, fromBase64 } from '../bytes.ts'
import type { RsaPublicKey } from '../key/key.ts'
import { readRsaPublicKey } from '../key/pkcs1.ts'
import { checkRsaPublicKey } from '../key/rsa.ts'
import { keyOids, publicKeyOfSpki, readSpki } from '../key/spki.ts'
import { parseTagList, type TagList, tagValue } from './tag-list.ts'

/** RFC 8301 §3.2: shorter keys are never taken as valid; signers should use 2048 bits or more. */
export const MIN_RSA_BITS = 1024
export const WANTED_RSA_BITS = 2048
/** RFC 8301 §3.2: verifiers have to take keys up to this length, longer ones only may work. */
export const MAX_RSA_BITS = 4096
/** RFC 8032 §5.1.5 */
const ED25519_BYTES = 32

export interface DkimFinding {
  name: string
  verdict: 'pass' | 'warn' | 'fail'
  detail: string
  clause: string
}

export interface DkimKey {
  value: string
  tags: { name: string; value: string; description: string }[]
  /** `ignored`: a key type nobody knows; `broken`: verifiers take the record for no key at all. */
  state: 'usable' | 'revoked' | 'weak' | 'ignored' | 'broken'
  type: 'RSA' | 'Ed25519' | 'unknown'
  bits?: number
  /** t=y: verifiers treat failures like unsigned mail. */
  testing: boolean
  findings: DkimFinding[]
}

/** Whether a text record at a key's name is meant to be a key: it has p=, or says v=DKIM1. */
export const looksLikeDkim = (text: string): boolean => {
  const list = parseTagList(text)
  return tagValue(list, 'p') !== undefined || /^\s*v\s*=\s*DKIM1/i.test(text)
}

const names: Readonly<Record<string, string>> = {
  v: 'Version of the record',
  g: 'Local part the key is for, given up by RFC 6376',
  h: 'Hash functions that signatures may use',
  k: 'Type of the key',
  n: 'A note for people',
  p: 'The public key in Base64',
  s: 'What the key is for',
  t: 'Flags',
}

/** Reads and judges one key record. */
export function checkDkimKey(value: string): DkimKey {
  const list = parseTagList(value)
  const findings = [
    ...checkForm(list),
    ...checkHashes(list),
    ...checkService(list),
    ...checkFlags(list),
    ...checkOld(list),
  ]
  const found = readPublicKey(list)
  findings.push(...found.findings)
  const failed = findings.some(({ verdict }) => verdict === 'fail')
  return {
    value,
    tags: list.tags.map(({ name, value: text }) => ({
      name,
      value: text,
      description: names[name] ?? 'A tag nobody knows; ignored',
    })),
    state: found.state === 'usable' && failed ? 'broken' : found.state,
    type: found.type,
    ...(found.bits !== undefined && { bits: found.bits }),
    testing: flagsOf(list).includes('y'),
    findings,
  }
}

function checkForm(list: TagList): DkimFinding[] {
  const clause = 'RFC 6376 §3.6.1'
  const index = list.tags.findIndex(({ name }) => name === 'v')
  const version = tagValue(list, 'v')
  const name = 'Version'
  return [
    ...list.problems.map(
      problem => ({ name: 'Form', verdict: 'fail', detail: problem, clause: 'RFC 6376 §3.2' }) as const,
    ),
    version === undefined
      ? { name, verdict: 'pass', detail: 'left out, which counts as DKIM1', clause }
      : version !== 'DKIM1'
        ? { name, verdict: 'fail', detail: 'not "DKIM1", so the record is thrown away', clause }
        : index > 0
          ? { name, verdict: 'fail', detail: 'v= does not come first, so the record is thrown away', clause }
          : { name, verdict: 'pass', detail: 'DKIM1, and it comes first', clause },
  ]
}

const listOf = (text: string | undefined) =>
  (text ?? '')
    .split(':')
    .map(part => part.trim())
    .filter(Boolean)
const flagsOf = (list: TagList) => listOf(tagValue(list, 't'))

/** RFC 8301 §3.1: rsa-sha1 must neither be used nor taken. */
function checkHashes(list: TagList): DkimFinding[] {
  const text = tagValue(list, 'h')
  if (text === undefined) return []
  const hashes = listOf(text)
  const [name, clause] = ['Hash functions', 'RFC 8301 §3.1']
  if (!hashes.includes('sha256')) {
    return [{ name, verdict: 'fail', detail: 'sha256 is not among them, and sha1 is no longer taken', clause }]
  }
  if (hashes.includes('sha1'))
    return [{ name, verdict: 'warn', detail: 'sha1 is allowed too, and no longer taken', clause }]
  return [{ name, verdict: 'pass', detail: 'sha256', clause }]
}

function checkService(list: TagList): DkimFinding[] {
  const text = tagValue(list, 's')
  if (text === undefined) return []
  const fits = listOf(text).some(service => service === '*' || service === 'email')
  const [name, clause] = ['Service', 'RFC 6376 §3.6.1']
  return fits
    ? [{ name, verdict: 'pass', detail: 'the key is for mail', clause }]
    : [{ name, verdict: 'fail', detail: 'the key is not for mail, so verifiers ignore it', clause }]
}

function checkFlags(list: TagList): DkimFinding[] {
  const [flags, clause] = [flagsOf(list), 'RFC 6376 §3.6.1']
  return [
    ...(flags.includes('y')
      ? [{ name: 'Testing', verdict: 'warn', detail: 't=y: mail that fails is treated as unsigned', clause } as const]
      : []),
    ...(flags.includes('s')
      ? [{ name: 'Subdomains', verdict: 'pass', detail: 't=s: the identity may not be a subdomain', clause } as const]
      : []),
  ]
}

function checkOld(list: TagList): DkimFinding[] {
  const local = tagValue(list, 'g')
  if (local === undefined) return []
  const detail = local === '' ? 'an empty g= made old verifiers refuse every signature' : 'g= is no longer read'
  return [{ name: 'Granularity', verdict: 'warn', detail, clause: 'RFC 6376 §3.6.1' }]
}

type Found = Pick<DkimKey, 'state' | 'type' | 'bits' | 'findings'>

function readPublicKey(list: TagList): Found {
  const clause = 'RFC 6376 §3.6.1'
  const kind = tagValue(list, 'k') ?? 'rsa'
  const encoded = tagValue(list, 'p')
  const type = kind === 'rsa' ? 'RSA' : kind === 'ed25519' ? 'Ed25519' : 'unknown'
  const fail = (detail: string, state: DkimKey['state'] = 'broken'): Found => ({
    state,
    type,
    findings: [{ name: 'Public key', verdict: 'fail', detail, clause }],
  })
  if (encoded === undefined) return fail('p= is missing')
  if (encoded === '') return fail('p= is empty: the key is revoked', 'revoked')
  if (type === 'unknown') return fail('the type is neither rsa nor ed25519, so verifiers ignore the key', 'ignored')
  let bytes: Bytes
  try {
    bytes = fromBase64(encoded.replace(/\s+/g, ''))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return fail(`p= is not Base64: ${error.message}`)
  }
  return type === 'RSA' ? judgeRsa(bytes, fail) : judgeEd25519(bytes, fail)
}

function judgeRsa(bytes: Bytes, fail: (detail: string) => Found): Found {
  let key: RsaPublicKey
  let bare: boolean
  try {
    ;({ key, bare } = readRsa(bytes))
    checkRsaPublicKey(key)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return fail(`p= holds no RSA key: ${error.message}`)
  }
  const bits = bitLength(key.n)
  const form: DkimFinding[] = bare
    ? [
        {
          name: 'Key form',
          verdict: 'warn',
          detail: 'a bare RSAPublicKey, while signers and most verifiers use SubjectPublicKeyInfo',
          clause: 'RFC 6376 §3.6.1',
        },
      ]
    : []
  const exponent: DkimFinding[] =
    key.e >= 65_537n
      ? []
      : [
          {
            name: 'Exponent',
            verdict: 'warn',
            detail: `${key.e}, and 65537 is the least to use`,
            clause: 'FIPS 186-5 §A.1',
          },
        ]
  return {
    state: bits < MIN_RSA_BITS ? 'weak' : 'usable',
    type: 'RSA',
    bits,
    findings: [judgeBits(bits), ...form, ...exponent],
  }
}

function judgeBits(bits: number): DkimFinding {
  const [name, clause] = ['Key length', 'RFC 8301 §3.2']
  if (bits < MIN_RSA_BITS) {
    return { name, verdict: 'fail', detail: `${bits} bits; verifiers take nothing under ${MIN_RSA_BITS}`, clause }
  }
  if (bits < WANTED_RSA_BITS) {
    return { name, verdict: 'warn', detail: `${bits} bits; signers should use ${WANTED_RSA_BITS} or more`, clause }
  }
  if (bits > MAX_RSA_BITS) {
    return {
      name,
      verdict: 'warn',
      detail: `${bits} bits; verifiers need to take no more than ${MAX_RSA_BITS}`,
      clause,
    }
  }
  return { name, verdict: 'pass', detail: `${bits} bits`, clause }
}

/** SubjectPublicKeyInfo holds an algorithm where the bare key holds its modulus. */
function readRsa(bytes: Bytes): { key: RsaPublicKey; bare: boolean } {
  const bare = parseSequence(bytes, 'the key').peek()?.tag !== SEQUENCE_TAG
  if (bare) return { key: readRsaPublicKey(bytes), bare }
  const reader = new Reader(bytes)
  const key = publicKeyOfSpki(readSpki(reader))
  reader.end('the key')
  if (key.type !== 'RSA') throw new RangeError(`it is a key for ${key.type}`)
  return { key, bare }
}

/** X.690 §8.9.1 */
const SEQUENCE_TAG = 16

function judgeEd25519(bytes: Bytes, fail: (detail: string) => Found): Found {
  if (bytes.length !== ED25519_BYTES) {
    const wrapped =
      bytes.length > ED25519_BYTES && isWrapped(bytes) ? ', since it is wrapped as SubjectPublicKeyInfo' : ''
    return fail(`p= holds ${bytes.length} bytes and not the ${ED25519_BYTES} of an Ed25519 key${wrapped}`)
  }
  const finding = { name: 'Key length', verdict: 'pass', detail: '256 bits', clause: 'RFC 8463 §4.2' } as const
  return { state: 'usable', type: 'Ed25519', bits: 256, findings: [finding] }
}

function isWrapped(bytes: Bytes): boolean {
  try {
    return readSpki(new Reader(bytes)).algorithm.oid === keyOids.Ed25519
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return false
  }
}
