import { argon2Sync, randomBytes, timingSafeEqual } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { formatPhc, type PasswordTask, parsePhc } from './phc.ts'

/** OWASP's choice for Argon2id with the least memory per sign-in: 19 MiB, two passes. RFC 9106 names the parameters. */
const parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32

function hash(password: string): string {
  const salt = randomBytes(SALT_BYTES)
  const tag = argon2Sync('argon2id', { message: password, nonce: salt, tagLength: TAG_BYTES, ...parameters })
  return formatPhc({ ...parameters, salt, tag })
}

/** What unknown addresses are compared with, so that they take as long. */
const nobody = hash(randomBytes(SALT_BYTES).toString('hex'))

function matches(password: string, phc: string | undefined): boolean {
  const { salt, tag, ...costs } = parsePhc(phc ?? nobody)
  const own = argon2Sync('argon2id', { message: password, nonce: salt, tagLength: tag.length, ...costs })
  return timingSafeEqual(own, tag) && phc !== undefined
}

parentPort?.on('message', ({ id, password, phc, wanted }: PasswordTask) => {
  parentPort?.postMessage({ id, result: wanted === 'hash' ? hash(password) : matches(password, phc) })
})
