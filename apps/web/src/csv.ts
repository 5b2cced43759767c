/** A table as CSV (RFC 4180): quoted where needed, lines ended by CR LF. */
export function toCsv(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, ...rows]
    .map(row => row.map(csvField).join(','))
    .join('\r\n')
    .concat('\r\n')
}

/**
 * A leading = + - @, in their full width too, or a tab or line break makes a spreadsheet run the text as a formula, so
 * such a text gets an apostrophe; plain numbers keep their sign.
 */
function csvField(value: string): string {
  const safe = /^[=+\-@＝＋－＠\t\r\n]/.test(value) && !/^[+-]?\d+(?:\.\d+)?$/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
