import { checkTyposquatting } from './check-typosquatting.ts'
import { whois } from './whois.ts'

/** The tools that ask registries, in page order. */
export const domain = [whois, checkTyposquatting]
