/** The format that random bytes are written in: the one chosen, unless it cannot hold every byte. */
export function writable(format: string, formats: readonly string[]): string {
  if (format === 'Hex' || format.startsWith('Base64')) return format
  return formats.includes('Hex') ? 'Hex' : (formats.find(name => name.startsWith('Base64')) ?? 'Hex')
}

/** Fresh bytes from the browser's generator, as text. */
export function freshBytes(length: number, format: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  if (format === 'Hex') return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
  const base64 = btoa(String.fromCharCode(...bytes))
  return format === 'Base64URL' ? base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') : base64
}
