import { whois } from './whois.ts'

/** The tools that ask registries, in page order. */
export const domain = [whois]
