import { portScan } from './port-scan.ts'

/** The tools that look at hosts and paths, in page order. */
export const network = [portScan]
