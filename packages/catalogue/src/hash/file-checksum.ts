import { badge, explain, field, mono, panel, sh, type Terminal, type Tone, tool, type Update } from '@assay/kit'
import { toBase64, toHex } from '@assay/lib/bytes'
import { type Checksum, checksumsFor, functionsOf, parseChecksums } from '@assay/lib/hash/checksum-list'
import { hashStream, type StreamHashName } from '@assay/lib/hash/stream'
import { byteCount } from './command.ts'

const algorithms = [
  'MD5',
  'SHA-1',
  'SHA-256',
  'SHA-512',
  'SHA3-256',
  'BLAKE2b',
  'BLAKE3',
  'CRC32',
  'XXH3',
] as const satisfies readonly StreamHashName[]
const ALL = 'All of them'
type Algorithm = (typeof algorithms)[number] | typeof ALL

const programs: Partial<Record<Algorithm, string>> = {
  MD5: 'md5sum --',
  'SHA-1': 'sha1sum --',
  'SHA-256': 'sha256sum --',
  'SHA-512': 'sha512sum --',
  'SHA3-256': 'openssl dgst -sha3-256 -r',
  BLAKE2b: 'b2sum --',
  BLAKE3: 'b3sum --',
  XXH3: 'xxhsum -H3 --',
}

/** Milliseconds a function takes for a mebibyte, measured with hash-wasm on one core of 2.5 GHz and rounded up. */
const MILLISECONDS_PER_MEBIBYTE: Record<(typeof algorithms)[number], number> = {
  MD5: 2.2,
  'SHA-1': 2.2,
  'SHA-256': 3.5,
  'SHA-512': 2.6,
  'SHA3-256': 3.3,
  BLAKE2b: 1.5,
  BLAKE3: 1.8,
  CRC32: 0.7,
  XXH3: 0.4,
}
const MEBIBYTE = 1_048_576

type Verdict = 'match' | 'mismatch' | 'unsupported' | 'not-listed'
interface Comparison {
  verdict: Exclude<Verdict, 'not-listed'>
  expected: string
  /** The function whose result was equal, or the ones that were tried. */
  algorithms: string[]
  listed_file?: string
}
interface FileChecksum {
  file_name: string
  file_bytes: number
  algorithm: Algorithm
  /** The checksum by the algorithm asked for, when that was one. */
  checksum?: string
  checksums: { algorithm: string; checksum: string }[]
  verdict?: Verdict
  compared?: Comparison[]
}

/** Checksums of a file of any size, several in one pass, and the comparison with what was published. */
export const fileChecksum = tool({
  id: 'file-checksum',
  path: 'file-checksum',
  title: 'File Checksum Calculator and Verifier',
  category: 'hash-generators-and-checksum',
  summary: 'The checksum of a file, compared with the one that was published with it.',
  keywords: ['sha256sum', 'md5sum', 'SHA256SUMS', 'verify download', 'integrity', 'b3sum', 'crc32', 'xxhash', 'iso'],
  specs: ['FIPS 180-4', 'FIPS 202', 'RFC 1321', 'RFC 7693', 'BLAKE3', 'xxHash specification'],
  runs: 'anywhere',
  fields: {
    file: field.file('File'),
    algorithm: field.choice('Checksum', [...algorithms, ALL], { default: 'SHA-256' }),
    expected: field.area('Expected checksum', {
      optional: true,
      placeholder: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      help: 'A hash in hexadecimal or Base64, a line of sha256sum, or a whole SHA256SUMS list.',
    }),
  },

  async *run({ file, algorithm, expected }, { now }): AsyncGenerator<Update<FileChecksum>, FileChecksum, void> {
    const list = expected?.trim() ? explain('expected', 'Expected checksum', () => parseChecksums(expected)) : undefined
    const relevant = list && checksumsFor(file.name, list)
    const wanted: readonly StreamHashName[] = algorithm === ALL ? algorithms : [algorithm]
    const names = [...new Set([...wanted, ...(relevant ?? []).flatMap(functionsOf)])]

    const started = now().getTime()
    const hashing = hashStream(names, file.stream())
    let step = await hashing.next()
    for (; !step.done; step = await hashing.next()) yield progress(step.value, file.size, now().getTime() - started)
    const { hashes, bytes } = step.value

    const checksums = hashes.map(({ name, hash }) => ({ algorithm: name, checksum: toHex(hash) }))
    const asked = checksums.find(entry => entry.algorithm === algorithm)
    const compared = relevant?.map(entry => compare(entry, checksums))
    return {
      file_name: file.name,
      file_bytes: bytes,
      algorithm,
      ...(asked && { checksum: asked.checksum }),
      checksums,
      ...(compared && { verdict: verdictOf(compared), compared }),
    }
  },

  show({ file_name, file_bytes, checksums, verdict, compared = [] }) {
    const equal = new Set(compared.filter(entry => entry.verdict === 'match').flatMap(entry => entry.algorithms))
    return [
      ...(verdict ? [panel.banner(...banners[verdict], { detail: detailOf(verdict, compared, file_name) })] : []),
      panel.table(
        ['Checksum', 'Value', ...(verdict ? ['Expected'] : [])],
        checksums.map(({ algorithm, checksum }) => [
          algorithm,
          mono(checksum),
          ...(verdict ? [equal.has(algorithm) ? badge('equal', 'good') : ''] : []),
        ]),
      ),
      ...(compared.some(entry => entry.verdict !== 'match')
        ? [
            panel.table(
              ['Expected', 'Tried', 'Result'],
              compared.map(({ expected, algorithms: tried, verdict: found }) => [
                mono(expected),
                tried.join(', ') || 'nothing',
                badge(found, found === 'match' ? 'good' : 'bad'),
              ]),
            ),
          ]
        : []),
      panel.facts([
        ['File', file_name],
        ['Size', byteCount(file_bytes)],
      ]),
    ]
  },

  terminal({ file, algorithm }): Terminal | undefined {
    const program = programs[algorithm]
    return program ? { command: `${program} ${sh`${file.name}`}` } : undefined
  },

  cost({ file, algorithm }) {
    const names: readonly (typeof algorithms)[number][] = algorithm === ALL ? algorithms : [algorithm]
    const each = names.reduce((sum, name) => sum + MILLISECONDS_PER_MEBIBYTE[name], 0)
    return { milliseconds: 5 + ((file.size ?? 0) / MEBIBYTE) * each, megabytes: 32 }
  },

  examples: [
    {
      from: 'FIPS 180-2 §B.1',
      input: { file: 'abc' },
      result: { checksum: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', file_bytes: 3 },
    },
    {
      from: 'RFC 1321 §A.5',
      title: 'Compare with a line of md5sum',
      input: { file: 'message digest', expected: 'f96b697d7cb7938d525a2f31aaf161d0  text.txt' },
      result: { verdict: 'match' },
    },
    {
      from: 'RFC 7693 §A',
      title: 'Every checksum in one pass',
      input: { file: 'abc', algorithm: ALL },
      result: { file_bytes: 3, algorithm: ALL },
    },
  ],
})

const banners: Record<Verdict, [Tone, string]> = {
  match: ['good', 'The file is the one that was published'],
  mismatch: ['bad', 'The file is not the one that was published'],
  unsupported: ['warn', 'The expected checksum is of a kind that is not computed here'],
  'not-listed': ['warn', 'The list does not name this file'],
}

function detailOf(verdict: Verdict, compared: readonly Comparison[], file: string): string {
  switch (verdict) {
    case 'match':
      return `Its ${[...new Set(compared.flatMap(entry => entry.algorithms))].join(' and ')} checksum is equal.`
    case 'mismatch':
      return 'It was damaged on the way, is another version, or was tampered with: fetch it again before you use it.'
    case 'unsupported':
      return 'Its length or its name belongs to none of the functions above.'
    case 'not-listed':
      return `It has several lines, and none is for ${file}.`
  }
}

function compare(entry: Checksum, computed: FileChecksum['checksums']): Comparison {
  const { hash, form, file } = entry
  const tried = functionsOf(entry)
  const equal = computed.find(
    ({ algorithm, checksum }) => tried.some(name => name === algorithm) && checksum === toHex(hash),
  )
  return {
    verdict: equal ? 'match' : tried.length > 0 ? 'mismatch' : 'unsupported',
    expected: form === 'Base64' ? toBase64(hash) : toHex(hash),
    algorithms: equal ? [equal.algorithm] : tried,
    ...(file !== undefined && { listed_file: file }),
  }
}

/** One line that differs makes the file another one; a line of an unknown kind says nothing. */
function verdictOf(compared: readonly Comparison[]): Verdict {
  if (compared.length === 0) return 'not-listed'
  if (compared.some(({ verdict }) => verdict === 'mismatch')) return 'mismatch'
  return compared.some(({ verdict }) => verdict === 'match') ? 'match' : 'unsupported'
}

function progress(bytes: number, size: number | undefined, milliseconds: number): Update<FileChecksum> {
  const done = size ? `${inMegabytes(bytes)} of ${inMegabytes(size)} MB` : `${inMegabytes(bytes)} MB`
  const rate = milliseconds > 0 ? `, ${inMegabytes((bytes / milliseconds) * 1000)} MB/s` : ''
  return { ...(size && { progress: Math.min(bytes / size, 1) }), label: done + rate }
}

const inMegabytes = (bytes: number) => Math.round(bytes / 1_000_000)
