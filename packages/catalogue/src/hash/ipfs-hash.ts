import { explain, field, mono, type Panel, panel, sh, type Terminal, tool, type Update } from '@assay/kit'
import { equalBytes, toHex } from '@assay/lib/bytes'
import { type Cid, codecName, DAG_PB, formatCid, hashName, multibases, parseCid, SHA2_256 } from '@assay/lib/hash/cid'
import { addFile, CHUNK_BYTES, MAX_LINKS, type UnixfsFile } from '@assay/lib/hash/unixfs'
import { byteCount } from './command.ts'

const versions = ['CIDv0', 'CIDv1'] as const
const rawChoices = ['as kubo', 'yes', 'no'] as const
/** SHA-256 in WebAssembly, twice over for the nodes and the copying. */
const MILLISECONDS_PER_MEBIBYTE = 5
const MEBIBYTE = 1_048_576

interface Inspected {
  cid: string
  version: number
  base: string
  codec: string
  hash: string
  digest: string
  cid_v0?: string
  cid_v1: string
}
interface IpfsResult {
  cid?: string
  codec?: string
  file_bytes?: number
  leaves?: number
  depth?: number
  blocks?: number
  total_bytes?: number
  raw_leaves?: boolean
  inspected?: Inspected
  /** Whether the identifier given is that of the file. */
  matches?: boolean
}

/** The address of a file in IPFS, and what an address says. UnixFS, DAG-PB, CID. */
export const ipfsHash = tool({
  id: 'ipfs-hash',
  path: 'ipfs-hash',
  title: 'IPFS CID Calculator and Inspector',
  category: 'hash-generators-and-checksum',
  summary: 'The content identifier that IPFS gives a text or a file, and what an identifier is made of.',
  keywords: ['ipfs', 'cid', 'kubo', 'ipfs add', 'unixfs', 'dag-pb', 'multihash', 'multibase', 'Qm', 'bafy', 'nft'],
  specs: ['CID specification', 'UnixFS specification', 'DAG-PB specification', 'Multibase', 'Multihash'],
  runs: 'anywhere',
  fields: {
    input_text: field.bytes('Text', { optional: true, placeholder: 'Text to address' }),
    file: field.file('File', { optional: true }),
    version: field.choice('Version', versions, { default: 'CIDv1' }),
    raw_leaves: field.choice('Bare pieces', rawChoices, {
      help: 'kubo stores pieces bare with CIDv1 and wraps them with CIDv0.',
    }),
    multibase: field.choice('Base', multibases),
    cid: field.text('CID', {
      optional: true,
      maxLength: 512,
      placeholder: 'bafy… or Qm…',
      help: 'To read it; with a text or a file, to compare.',
    }),
  },

  async *run({
    input_text,
    file,
    version,
    raw_leaves,
    multibase,
    cid,
  }): AsyncGenerator<Update<IpfsResult>, IpfsResult, void> {
    const given = cid === undefined ? undefined : explain('cid', 'CID', () => parseCid(cid))
    const inspected = given && inspect(given.cid, given.base, cid ?? '')
    if (given && inspected && !file && !input_text) return { inspected }
    const number = version === 'CIDv0' ? 0 : 1
    const rawLeaves = raw_leaves === 'as kubo' ? number === 1 : raw_leaves === 'yes'
    const adding = addFile(file ? file.stream() : once(input_text ?? new Uint8Array()), { version: number, rawLeaves })
    let step = await adding.next()
    for (; !step.done; step = await adding.next()) {
      yield {
        ...(file?.size && { progress: Math.min(step.value / file.size, 1) }),
        label: `${Math.round(step.value / 1_000_000)} MB`,
      }
    }
    const added: UnixfsFile = step.value
    return {
      cid: formatCid(added.cid, multibase),
      codec: codecName(added.cid.codec),
      file_bytes: added.bytes,
      leaves: added.leaves,
      depth: added.depth,
      blocks: added.blocks,
      total_bytes: added.totalBytes,
      raw_leaves: rawLeaves,
      ...(given && inspected && { inspected, matches: same(given.cid, added.cid) }),
    }
  },

  show({ cid, codec, file_bytes = 0, leaves = 0, depth, blocks, total_bytes = 0, inspected, matches }): Panel[] {
    return [
      ...(matches === undefined
        ? []
        : [
            matches
              ? panel.banner('good', 'The identifier is that of this content')
              : panel.banner('warn', 'The identifier is not the one computed here', {
                  detail: 'The content differs, or it was added with other pieces, another version or another layout.',
                }),
          ]),
      ...(cid
        ? [
            panel.code(cid, { title: 'CID' }),
            panel.facts([
              ['Kind', codec ?? ''],
              ['Content', byteCount(file_bytes)],
              ['Pieces', `${leaves} of at most ${CHUNK_BYTES / 1024} KiB`],
              ['Levels of nodes above', String(depth)],
              ['Blocks', `${blocks}, ${byteCount(total_bytes)} in all`],
              ['Links in a node', `at most ${MAX_LINKS}`],
            ]),
          ]
        : []),
      ...(inspected
        ? [
            panel.facts(
              [
                ['Version', String(inspected.version)],
                ['Base', inspected.base],
                ['Content is', inspected.codec],
                ['Hash function', inspected.hash],
                ['Hash', mono(inspected.digest)],
                ...(inspected.cid_v0 ? [['As version 0', mono(inspected.cid_v0)] as const] : []),
                ['As version 1', mono(inspected.cid_v1)],
              ],
              'The identifier given',
            ),
          ]
        : []),
    ]
  },

  terminal({ file, version, raw_leaves, multibase }, { cid }): Terminal | undefined {
    if (!cid || !file) return undefined
    const raw = raw_leaves === 'as kubo' ? '' : ` --raw-leaves=${raw_leaves === 'yes'}`
    const base = version === 'CIDv0' ? '' : ` --cid-base=${multibase}`
    return {
      command: `ipfs add --only-hash --quieter --cid-version=${version.slice(-1)}${raw}${base} ${sh`${file.name}`}`,
    }
  },

  cost: ({ file, input_text }) => ({
    milliseconds: 5 + ((file?.size ?? input_text?.length ?? 0) / MEBIBYTE) * MILLISECONDS_PER_MEBIBYTE,
    megabytes: 16,
  }),

  examples: [
    {
      from: 'kubo README',
      title: 'Version 0, as ipfs add gives it',
      input: { input_text: 'hello world\n', version: 'CIDv0' },
      result: { cid: 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o', codec: 'dag-pb' },
    },
    {
      from: 'kubo, ipfs add of an empty file',
      title: 'An empty file',
      input: { file: '', input_text: '', version: 'CIDv0' },
      result: { cid: 'QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH' },
    },
    {
      from: 'CID specification, SHA-256 of nothing',
      title: 'Read an identifier',
      input: { input_text: '', cid: 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku' },
      result: {
        inspected: {
          version: 1,
          base: 'base32',
          codec: 'raw',
          hash: 'sha2-256',
          digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        },
      },
    },
  ],
})

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes
}

/** The same content and kind; version 0 and 1 of one identifier are equal. */
const same = (a: Cid, b: Cid) => a.codec === b.codec && a.hash === b.hash && equalBytes(a.digest, b.digest)

function inspect(cid: Cid, base: string, text: string): Inspected {
  const fitsVersion0 = cid.codec === DAG_PB && cid.hash === SHA2_256
  return {
    cid: text.trim(),
    version: cid.version,
    base,
    codec: codecName(cid.codec),
    hash: hashName(cid.hash),
    digest: toHex(cid.digest),
    ...(fitsVersion0 && { cid_v0: formatCid({ ...cid, version: 0 }, 'base58btc') }),
    cid_v1: formatCid({ ...cid, version: 1 }, 'base32'),
  }
}
