import { x509 } from './x509.ts'

/** The certificate tools in page order. */
export const certificate = [x509]
