import { adler32 } from './adler32.ts'
import { argon2 } from './argon2.ts'
import { bcrypt } from './bcrypt.ts'
import { blake2b, blake2s } from './blake2.ts'
import { cmac } from './cmac.ts'
import { crc16, crc32 } from './crc.ts'
import { fileChecksum } from './file-checksum.ts'
import { hashArt } from './hash-art.ts'
import { hashBenchmark } from './hash-benchmark.ts'
import { hashIdentifier } from './hash-identifier.ts'
import { hmac } from './hmac.ts'
import { ipfsHash } from './ipfs-hash.ts'
import { md5 } from './md5.ts'
import { merkleTree } from './merkle-tree.ts'
import { pbkdf2 } from './pbkdf2.ts'
import { ripemd } from './ripemd.ts'
import { scrypt } from './scrypt.ts'
import { sha } from './sha.ts'
import { sha3Blake } from './sha3-blake.ts'
import { ssdeep } from './ssdeep.ts'
import { tlsh } from './tlsh.ts'

/** The hashing tools in page order. */
export const hash = [
  md5,
  sha,
  sha3Blake,
  blake2b,
  blake2s,
  ripemd,
  crc32,
  crc16,
  adler32,
  hmac,
  cmac,
  argon2,
  bcrypt,
  pbkdf2,
  scrypt,
  fileChecksum,
  hashIdentifier,
  ssdeep,
  tlsh,
  merkleTree,
  ipfsHash,
  hashArt,
  hashBenchmark,
]
