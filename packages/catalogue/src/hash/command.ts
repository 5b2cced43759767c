import { printf, type Terminal } from '@assay/kit'
import type { OutputFormat } from '@assay/lib/bytes'

/** How a program prints the hash of its standard input: in hexadecimal first on its line, and as bare bytes. */
export interface HashProgram {
  hex: string
  binary?: string
}

/** Of an `openssl` digest name. */
export const openssl = (name: string): HashProgram => ({
  hex: `openssl dgst -${name} -r`,
  binary: `openssl dgst -${name} -binary`,
})

/** Above this a message is better kept in a file than in a command line. */
export const MAX_COMMAND_BYTES = 4096

/** The pipeline that hashes a message in a terminal and prints it in the format asked for. */
export function hashCommand(
  message: Uint8Array,
  program: HashProgram | undefined,
  format: OutputFormat,
  prints: string,
): Terminal | undefined {
  if (!program || message.length > MAX_COMMAND_BYTES) return undefined
  const printer = {
    Hex: program.hex,
    Base64: program.binary && `${program.binary} | base64 -w0`,
    Base64URL: program.binary && `${program.binary} | basenc --base64url -w0 | tr -d =`,
  }[format]
  return printer ? { command: `${printf(message)} | ${printer}`, prints } : undefined
}

/** "1 byte", "2 bytes". */
export const byteCount = (bytes: number): string => `${bytes} byte${bytes === 1 ? '' : 's'}`
