import { md5 } from './md5.ts'

/** The hashing tools in page order. */
export const hash = [md5]
