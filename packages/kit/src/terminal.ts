/** A POSIX shell word that stands for exactly this value: bare when harmless, single-quoted otherwise. */
export const shellWord = (value: string): string =>
  /^[A-Za-z0-9_./:=@%+,-]+$/.test(value) && !value.startsWith('-') ? value : `'${value.replaceAll("'", `'\\''`)}'`

/** A shell command whose values are quoted: sh`openssl dgst -${name} ${file}`. Wrap in `raw` what is syntax. */
export function sh(strings: TemplateStringsArray, ...values: readonly (string | number | Raw)[]): string {
  return String.raw(
    { raw: strings.raw },
    ...values.map(value => (value instanceof Raw ? value.text : shellWord(String(value)))),
  )
}

class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
export const raw = (text: string): Raw => new Raw(text)

/** Bytes on standard input, whatever they are: printf with octal escapes for all but plain characters. */
export function printf(bytes: Uint8Array): string {
  let format = ''
  for (const byte of bytes) {
    // A leading hyphen would be read as an option.
    const plain = byte >= 32 && byte < 127 && ![37, 39, 92].includes(byte) && (byte !== 45 || format !== '')
    format += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  }
  return `printf '${format}'`
}
