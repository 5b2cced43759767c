import { type Bytes, concat } from '../bytes.ts'
import { type Cid, cidBytes, DAG_PB, RAW, SHA2_256, varint } from './cid.ts'
import { pause } from './pause.ts'
import { type RunningHash, runningHash } from './stream.ts'

/**
 * A file as IPFS stores it: cut into pieces, and a tree of nodes over them. UnixFS and DAG-PB specifications, with
 * what kubo does unless told otherwise: pieces of 256 KiB and a balanced tree of at most 174 links in a node.
 */
export const CHUNK_BYTES = 262_144
export const MAX_LINKS = 174

export interface UnixfsOptions {
  version: 0 | 1
  /** Whether pieces are stored bare; kubo does so with version 1. */
  rawLeaves: boolean
}

export interface UnixfsFile {
  cid: Cid
  /** Of the file. */
  bytes: number
  /** Pieces, and levels of nodes above them. */
  leaves: number
  depth: number
  /** Blocks in all, and what they take with their nodes. */
  blocks: number
  totalBytes: number
}

interface Node {
  cid: Cid
  /** Bytes of the file below it. */
  fileBytes: number
  /** Bytes of all blocks below it and of its own. */
  totalBytes: number
}

/** The root of a file, in one pass. Yields how many bytes are done. */
export async function* addFile(
  stream: AsyncIterable<Uint8Array>,
  options: UnixfsOptions,
): AsyncGenerator<number, UnixfsFile, void> {
  const hash = await runningHash('SHA-256')
  const leaves: Node[] = []
  let bytes = 0
  let told = 0
  for await (const chunk of chunks(stream)) {
    leaves.push(leaf(hash, chunk, options))
    bytes += chunk.length
    if (bytes - told < SLICE_BYTES) continue
    told = bytes
    yield bytes
    await pause()
  }
  if (leaves.length === 0) leaves.push(leaf(hash, new Uint8Array(), options))
  let level = leaves
  let depth = 0
  let blocks = leaves.length
  for (; level.length > 1; depth++) {
    const above: Node[] = []
    for (let i = 0; i < level.length; i += MAX_LINKS) above.push(parent(hash, level.slice(i, i + MAX_LINKS), options))
    blocks += above.length
    level = above
  }
  const [root] = level
  if (!root) throw new TypeError('a tree has a root')
  return { cid: root.cid, bytes, leaves: leaves.length, depth, blocks, totalBytes: root.totalBytes }
}

const SLICE_BYTES = 8 * 1_048_576

/** The stream cut anew. */
async function* chunks(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const buffer = new Uint8Array(CHUNK_BYTES)
  let filled = 0
  for await (const piece of stream) {
    for (let start = 0; start < piece.length; ) {
      const part = piece.subarray(start, start + CHUNK_BYTES - filled)
      buffer.set(part, filled)
      filled += part.length
      start += part.length
      if (filled < CHUNK_BYTES) continue
      yield buffer
      filled = 0
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled)
}

function leaf(hash: RunningHash, data: Uint8Array, { version, rawLeaves }: UnixfsOptions): Node {
  if (rawLeaves) {
    const cid: Cid = { version: 1, codec: RAW, hash: SHA2_256, digest: digestOf(hash, data) }
    return { cid, fileBytes: data.length, totalBytes: data.length }
  }
  const content = data.length > 0 ? concat(Uint8Array.of(BYTES_2), varint(data.length), data) : new Uint8Array()
  return node(hash, version, [], concat(TYPE_FILE, content, number(3, data.length)), data.length)
}

function parent(hash: RunningHash, children: readonly Node[], { version }: UnixfsOptions): Node {
  const fileBytes = children.reduce((sum, child) => sum + child.fileBytes, 0)
  const sizes = children.map(child => number(4, child.fileBytes))
  return node(hash, version, children, concat(TYPE_FILE, number(3, fileBytes), ...sizes), fileBytes)
}

/** Tags of protocol buffers: the number of the field and its kind, 0 for numbers and 2 for bytes. */
const BYTES_1 = (1 << 3) | 2
const BYTES_2 = (2 << 3) | 2
const number = (field: number, value: number) => concat(Uint8Array.of(field << 3), varint(value))
/** UnixFS: field 1, the type, is 2 for a file. Field 3 is its size, field 4 the size below each link. */
const TYPE_FILE = Uint8Array.of(1 << 3, 2)

/** A block of DAG-PB: its links first, with an empty name, then its data. */
function node(hash: RunningHash, version: 0 | 1, children: readonly Node[], data: Bytes, fileBytes: number): Node {
  const links = children.map(({ cid, totalBytes }) => {
    const target = cidBytes(cid)
    const link = concat(
      Uint8Array.of(BYTES_1),
      varint(target.length),
      target,
      Uint8Array.of(BYTES_2, 0),
      number(3, totalBytes),
    )
    return concat(Uint8Array.of(BYTES_2), varint(link.length), link)
  })
  const block = concat(...links, Uint8Array.of(BYTES_1), varint(data.length), data)
  return {
    cid: { version, codec: DAG_PB, hash: SHA2_256, digest: digestOf(hash, block) },
    fileBytes,
    totalBytes: children.reduce((sum, child) => sum + child.totalBytes, block.length),
  }
}

const digestOf = (hash: RunningHash, bytes: Uint8Array): Bytes =>
  Uint8Array.from(hash.init().update(bytes).digest('binary'))
