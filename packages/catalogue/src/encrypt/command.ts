import { printf, type Terminal } from '@assay/kit'
import type { ByteFormat, OutputFormat } from '@assay/lib/bytes'

/** Above this a text is better kept in a file than in a command line. */
const MAX_COMMAND_BYTES = 4096

/** What comes behind the program, for the formats that a program writes. */
const writers: Partial<Record<OutputFormat | ByteFormat, string>> = {
  'UTF-8': '',
  Hex: ' | xxd -p',
  Base64: ' | base64 -w0',
  Base64URL: ' | basenc --base64url -w0 | tr -d =',
}

/** The pipeline that sends a text through a program and prints what comes out in the format asked for. */
export function pipeline(
  text: Uint8Array,
  program: string | undefined,
  format: OutputFormat | ByteFormat,
  prints: string,
): Terminal | undefined {
  const writer = writers[format]
  if (!program || writer === undefined || text.length > MAX_COMMAND_BYTES) return undefined
  return { command: `${printf(text)} | ${program}${writer}`, prints }
}
