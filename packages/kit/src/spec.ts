/** Where a specification can be read, from its name; undefined for one that has no address of its own. */
export function specLink(name: string): string | undefined {
  const rfc = /^RFC (\d+)/.exec(name)
  if (rfc) return `https://www.rfc-editor.org/rfc/rfc${rfc[1]}`
  const fips = /^FIPS (\d+(?:-\d+)?)/.exec(name)
  if (fips) return `https://csrc.nist.gov/pubs/fips/${(fips[1] ?? '').replace('-', '/')}/final`
  const sp = /^NIST SP (800-\d+[A-Z]*)/.exec(name)
  if (sp) return `https://csrc.nist.gov/pubs/sp/${spPath(sp[1] ?? '')}/final`
  return undefined
}

/** SP 800-38A is filed under 800/38/a. */
const spPath = (number: string) =>
  number
    .replace('-', '/')
    .replace(/([A-Z]+)$/, '/$1')
    .toLowerCase()
