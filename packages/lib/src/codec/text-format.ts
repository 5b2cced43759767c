import { type ByteFormat, byteFormats, textOrHex, writeBytes } from '../bytes.ts'

/** How bytes that may be text are written: Automatic is UTF-8 when they are valid UTF-8, else hexadecimal. */
export const textFormats = ['Automatic', ...byteFormats] as const
export type TextFormat = (typeof textFormats)[number]

/** The text, and the format it turned out to be in. */
export const writeText = (bytes: Uint8Array, format: TextFormat): { text: string; format: ByteFormat } =>
  format === 'Automatic' ? textOrHex(bytes) : { text: writeBytes(bytes, format), format }
