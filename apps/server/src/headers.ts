/** Security headers, by hand: two policies, one for pages and one for data. */

/** What the web build says about its pages. */
export interface PagePolicy {
  /** Hashes of inline scripts, as they stand in a policy: "sha256-…". */
  scriptHashes: readonly string[]
  /** Origins that a page may connect to, by path of the page. */
  connect?: Readonly<Record<string, readonly string[]>>
}

const TWO_YEARS_SECONDS = 63_072_000

/** Powerful features, all off; the clipboard is written to by the copy buttons. */
const PERMISSIONS = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map(feature => `${feature}=()`)
  .join(', ')

/** On every answer. HSTS only where the site is known to be served over https. */
export const commonHeaders = (base: string | undefined): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': PERMISSIONS,
  'x-frame-options': 'DENY',
  // Whoever shares the host decides about its subdomains.
  ...(base?.startsWith('https:') && {
    'strict-transport-security': `max-age=${TWO_YEARS_SECONDS}${new URL(base).pathname === '/' ? '; includeSubDomains' : ''}`,
  }),
})

/** Data is never drawn, never kept, never indexed. */
export const dataHeaders: Record<string, string> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
}

/** The policy of a page. */
export function pagePolicy({ scriptHashes, connect = {} }: PagePolicy, path: string): string {
  const hashes = scriptHashes.map(hash => `'${hash}'`)
  return [
    `default-src 'none'`,
    ['script-src', `'self'`, ...hashes, `'wasm-unsafe-eval'`].join(' '),
    `style-src 'self'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    ['connect-src', `'self'`, ...(connect[path] ?? [])].join(' '),
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `object-src 'none'`,
    `require-trusted-types-for 'script'`,
    // The one policy the pages make, for the addresses of their workers.
    `trusted-types assay`,
  ].join('; ')
}
