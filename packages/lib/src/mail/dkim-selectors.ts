/**
 * Selectors that large senders tell their customers to use, from their own instructions. Others choose one at random,
 * and nobody can list the selectors of a domain (RFC 6376 §3.1), so finding none of these proves nothing.
 */
export const knownSelectors: readonly string[] = [
  ...['default', 'google', 'selector1', 'selector2', 's1', 's2', 'k1', 'k2', 'k3', 'mail', 'dkim', 'smtp', 'mx'],
  ...['email', 'key1', 'key2', 'sig1', 'mandrill', 'mxvault', 'everlytickey1', 'everlytickey2', 'dkim1', 'dkim2'],
  ...['zoho', 'zmail', 'fm1', 'fm2', 'fm3', 'protonmail', 'protonmail2', 'protonmail3', 'pm', '20161025', '20210112'],
  ...[
    '20221208',
    '20230601',
    'amazonses',
    'mta',
    'mesmtp',
    'cm',
    'hs1',
    'hs2',
    'sm',
    'sendgrid',
    'smtpapi',
    'm1',
    'm2',
  ],
  ...['ml', 'mailjet', 'mailo', 'krs', 'ctct1', 'ctct2', 'scph0920', 'pic', 'turbo-smtp', 'litesrv', 'yandex'],
]

/** A selector is one or more labels of letters, digits and hyphens. RFC 6376 §3.1. */
const SELECTOR = /^(?:[a-z\d_](?:[a-z\d_-]*[a-z\d_])?)(?:\.[a-z\d_](?:[a-z\d_-]*[a-z\d_])?)*$/i
const MAX_SELECTOR_LENGTH = 200

/** Reads a selector; RangeError when it is none. */
export function parseSelector(text: string): string {
  const selector = text.trim().replace(/\._domainkey\..*$/i, '')
  if (selector.length > MAX_SELECTOR_LENGTH || !SELECTOR.test(selector)) {
    throw new RangeError('expected letters, digits and hyphens, such as s1 or 2026.mail')
  }
  return selector.toLowerCase()
}
