import { createHash } from 'node:crypto'
import { clientKeys } from '../rates.ts'

const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
]
const systems: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** "Firefox on Linux": enough to know one's own device again, and no version to be known by. */
export function clientName(userAgent = ''): string {
  const nameIn = (rows: readonly [RegExp, string][]) => rows.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameIn(browsers) ?? 'Another program'
  const system = nameIn(systems)
  return system ? `${browser} on ${system}` : browser
}

/**
 * Where a client is, as 16 bits that differ for each account: the same network gives the same number, and each number
 * is shared by 65,536 times as many networks as there are numbers, so it tells nobody where that was.
 */
export function originOf(account: string, address: string): number {
  const [narrowest] = clientKeys(address)
  return createHash('sha256').update(`${account} ${narrowest?.key}`).digest().readUInt16BE()
}
