import { httpHeaders } from './http-headers.ts'

/** The tools that look at a web site, in page order. */
export const site = [httpHeaders]
