/**
 * Eighteen questions that show how a name server takes what it does not know, and what has to come back: RFC 8906 §8.
 * The words for what is wrong are those of ISC's EDNS compliance tester.
 */
import { opcodeName } from './codes.ts'
import { clientSubnetOption, cookieOption, type Edns, type EdnsOption, nsidOption } from './edns.ts'
import { createQuery, encodeMessage, type Message } from './message.ts'
import { ROOT } from './name.ts'

export type ProbeWord =
  | 'ok'
  | 'timeout'
  | 'reset'
  | 'malformed'
  | 'formerr'
  | 'servfail'
  | 'notimp'
  | 'refused'
  | 'badvers'
  | 'status'
  | 'soa'
  | 'nosoa'
  | 'opt'
  | 'noopt'
  | 'badversion'
  | 'echoed'
  | 'mbz'
  | 'nodo'
  | 'noaa'
  | 'nord'
  | 'ad'
  | 'z'
  | 'toobig'

export interface Probe {
  /** The section of RFC 8906. */
  section: string
  name: string
  /** ISC's name of the test. */
  test: string
  transport: 'udp' | 'tcp'
  /** What is unusual about the query. */
  query: {
    edns?: Partial<Edns>
    type?: string
    ad?: boolean
    cd?: boolean
    z?: boolean
    rd?: boolean
    /** An operation nobody knows, and nothing but a header. */
    opcode?: number
  }
  /** What has to come back beyond the code. */
  expect: {
    rcode: 'NOERROR' | 'NOTIMP' | 'BADVERS'
    soa?: 'present' | 'absent'
    opt?: 'present' | 'absent'
    notEchoed?: boolean
    do?: boolean
    maxBytes?: number
  }
}

/** RFC 8906 §8.2.3: an option that is not assigned. */
const UNKNOWN_OPTION = 100
/** RFC 8906 §8.2.4: a flag that is not assigned. */
const UNKNOWN_FLAG = 0x40
const UNKNOWN_TYPE = 'TYPE1000'
const UNKNOWN_OPCODE = 15
/** RFC 7314 §2. */
const EXPIRE_OPTION = 9
/** RFC 1035 §4.2.1, and the smallest that EDNS may offer (RFC 6891 §6.2.3). */
const SMALLEST_UDP_SIZE = 512

const unknownOption: EdnsOption = { code: UNKNOWN_OPTION, data: new Uint8Array() }
const knownOptions = (clientCookie: Uint8Array<ArrayBuffer>): EdnsOption[] => [
  nsidOption(),
  cookieOption({ client: clientCookie }),
  { code: EXPIRE_OPTION, data: new Uint8Array() },
  clientSubnetOption({ address: '0.0.0.0', sourceLength: 0, scopeLength: 0 }),
]

type Row = readonly [section: string, test: string, name: string, query: Probe['query'], expect: Probe['expect']]

const answered = { rcode: 'NOERROR', soa: 'present' } as const
const plain = { ...answered, opt: 'absent' } as const
const withEdns = { ...answered, opt: 'present' } as const
const badVersion = { rcode: 'BADVERS', soa: 'absent', opt: 'present' } as const

const rows: readonly Row[] = [
  ['8.1.1', 'dns', 'Plain question', {}, plain],
  ['8.1.2', 'dns', 'Unknown type', { type: UNKNOWN_TYPE }, { rcode: 'NOERROR', soa: 'absent', opt: 'absent' }],
  ['8.1.3.1', 'dns', 'CD bit', { cd: true }, plain],
  ['8.1.3.2', 'dns', 'AD bit', { ad: true }, plain],
  ['8.1.3.3', 'dns', 'Reserved bit', { z: true }, plain],
  ['8.1.3.4', 'dns', 'RD bit', { rd: true }, plain],
  ['8.1.4', 'dns', 'Unknown operation', { opcode: UNKNOWN_OPCODE }, { rcode: 'NOTIMP', soa: 'absent', opt: 'absent' }],
  ['8.1.5', 'dns', 'Over TCP', {}, plain],
  ['8.2.1', 'edns', 'EDNS version 0', { edns: {} }, withEdns],
  ['8.2.2', 'edns1', 'EDNS version 1', { edns: { version: 1 } }, badVersion],
  ['8.2.3', 'ednsopt', 'Unknown option', { edns: { options: [unknownOption] } }, { ...withEdns, notEchoed: true }],
  ['8.2.4', 'ednsflags', 'Unknown flag', { edns: { z: UNKNOWN_FLAG } }, withEdns],
  ['8.2.5', 'edns1flags', 'Version 1 and unknown flag', { edns: { version: 1, z: UNKNOWN_FLAG } }, badVersion],
  [
    '8.2.6',
    'edns1opt',
    'Version 1 and unknown option',
    { edns: { version: 1, options: [unknownOption] } },
    { ...badVersion, notEchoed: true },
  ],
  [
    '8.2.7',
    'edns512tcp',
    'Answer larger than offered',
    { type: 'DNSKEY', edns: { do: true, udpSize: SMALLEST_UDP_SIZE } },
    { rcode: 'NOERROR', opt: 'present', maxBytes: SMALLEST_UDP_SIZE },
  ],
  ['8.2.8', 'do', 'DNSSEC asked for', { edns: { do: true } }, { ...withEdns, do: true }],
  // DO is better kept here too, but BIND alone does so; NSD and Unbound leave it out.
  ['8.2.9', 'edns1do', 'Version 1 and DNSSEC', { edns: { version: 1, do: true } }, badVersion],
  ['8.2.10', 'optlist', 'Several known options', { edns: {} }, withEdns],
]

export const ednsProbes: readonly Probe[] = rows.map(([section, test, name, query, expect]) => ({
  section,
  test,
  name,
  query,
  expect,
  transport: section === '8.1.5' ? 'tcp' : 'udp',
}))

/**
 * What is asked: the root of a resolver, the zone of a server in charge of one. A server that serves neither refuses,
 * and is then held to refusing every time.
 */
export interface ProbeTarget {
  zone: string
  role: 'resolver' | 'authority' | 'other'
  /** The code that a sound question gets. */
  rcode: string
}

export const resolverTarget: ProbeTarget = { zone: ROOT, role: 'resolver', rcode: 'NOERROR' }

/** The query of a probe. `random` gives the id and the cookie. */
export function probeQuery(
  { section, query }: Probe,
  { zone, role }: ProbeTarget,
  random: (length: number) => Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const [high = 0, low = 0] = random(2)
  const { edns, type = 'SOA', ad = false, cd = false, z = false, rd = role !== 'authority', opcode } = query
  const options = section === '8.2.10' ? { options: knownOptions(random(8)) } : {}
  const message = {
    ...createQuery({ id: (high << 8) | low, name: zone, type, rd, edns: edns ? { ...edns, ...options } : 'none' }),
    ad,
    cd,
    z,
  }
  if (opcode === undefined) return encodeMessage(message)
  return encodeMessage({ ...message, rd: false, opcode: opcodeName(opcode), questions: [] })
}

const CODE_WORDS: Readonly<Record<string, ProbeWord>> = {
  FORMERR: 'formerr',
  SERVFAIL: 'servfail',
  NOTIMP: 'notimp',
  REFUSED: 'refused',
  BADVERS: 'badvers',
}

/** What is wrong with an answer, or `ok` alone. `bytes` is its length on the wire. */
export function judgeProbe(probe: Probe, target: ProbeTarget, message: Message, bytes: number): ProbeWord[] {
  const { expect, query } = probe
  const sound = expect.rcode === 'NOERROR'
  const served = target.rcode === 'NOERROR'
  const words: ProbeWord[] = []
  if (message.cut !== undefined) words.push('malformed')
  const wanted = sound ? target.rcode : expect.rcode
  if (message.rcode !== wanted) words.push(CODE_WORDS[message.rcode] ?? 'status')
  const hasSoa = message.answers.some(({ type }) => type === 'SOA')
  const codeFits = message.rcode === wanted
  if (expect.soa === 'present' && served && codeFits && !hasSoa && !message.tc) words.push('nosoa')
  if (expect.soa === 'absent' && hasSoa) words.push('soa')
  words.push(...ednsWords(probe, message))
  if (sound && served && codeFits && target.role === 'authority' && !message.aa) words.push('noaa')
  // A validating resolver says AD of what it validated (RFC 6840 §5.8), a server in charge has no business to.
  if (query.ad && target.role === 'authority' && message.ad) words.push('ad')
  if (query.rd && !message.rd) words.push('nord')
  if (query.z && message.z) words.push('z')
  if (expect.maxBytes !== undefined && bytes > expect.maxBytes) words.push('toobig')
  return words.length ? words : ['ok']
}

function ednsWords({ expect, query }: Probe, { edns, rcode }: Message): ProbeWord[] {
  if (expect.opt === 'absent') return edns ? ['opt'] : []
  if (!expect.opt) return []
  // Who does not know EDNS says FORMERR or NOTIMP without it, which is told by the code.
  if (!edns) return rcode === 'FORMERR' || rcode === 'NOTIMP' ? [] : ['noopt']
  const words: ProbeWord[] = []
  if (edns.version !== 0) words.push('badversion')
  if (expect.notEchoed && edns.options.some(({ code }) => code === UNKNOWN_OPTION)) words.push('echoed')
  if (query.edns?.z && edns.z !== 0) words.push('mbz')
  if (expect.do && !edns.do) words.push('nodo')
  return words
}

/** RFC 6891 §6.1.1 and §6.1.3: who knows EDNS version 0 answers with an OPT record, and never that it is too new. */
export const supportsEdns = ({ edns, rcode }: Message): boolean =>
  edns !== undefined && edns.version === 0 && rcode !== 'BADVERS'
