/** Endings and words that take part in look-alike names. Our own choice, by what is cheap, common or tempting. */

/** Suffixes that a name is registered under again: the large ones, the cheap ones, and slips of "com". */
export const swappedSuffixes: readonly string[] = [
  ...['com', 'net', 'org', 'co', 'info', 'biz', 'io', 'ai', 'app', 'dev', 'me', 'us', 'cc', 'tv', 'eu', 'uk', 'co.uk'],
  ...['de', 'fr', 'nl', 'it', 'es', 'pl', 'ch', 'at', 'be', 'se', 'ru', 'cn', 'com.cn', 'in', 'co.in', 'jp', 'co.jp'],
  ...['br', 'com.br', 'ca', 'au', 'com.au', 'mx', 'com.mx', 'za', 'co.za', 'com.co', 'cm', 'om', 'ws', 'to', 'ly'],
  ...['xyz', 'top', 'online', 'site', 'store', 'shop', 'club', 'icu', 'vip', 'live', 'click', 'link', 'work', 'space'],
  ...['website', 'tech', 'cloud', 'pro', 'buzz', 'cfd', 'sbs', 'cyou', 'bond', 'support', 'help', 'email', 'page'],
]

/** Words put before or behind the name. */
export const temptingWords: readonly string[] = [
  ...[
    'login',
    'signin',
    'account',
    'accounts',
    'secure',
    'security',
    'verify',
    'auth',
    'id',
    'my',
    'portal',
    'support',
  ],
  ...['help', 'service', 'online', 'web', 'mail', 'app', 'shop', 'store', 'pay', 'billing', 'update', 'team', 'group'],
]
