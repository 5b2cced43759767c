/**
 * What a hash may be, by its form alone: prefixes that programs write before it, alphabets and lengths. Mode numbers
 * are those of hashcat, whose list of example hashes is also where most forms come from.
 */

export type Likelihood = 'certain' | 'likely' | 'possible' | 'unlikely'
const ORDER: readonly Likelihood[] = ['certain', 'likely', 'possible', 'unlikely']

export interface HashCandidate {
  name: string
  likelihood: Likelihood
  /** The mode of hashcat for it. */
  hashcat?: number
  /** Where it comes from, in a few words. */
  met?: string
}

type Rule = readonly [pattern: RegExp, name: string, likelihood: Likelihood, hashcat?: number | undefined, met?: string]

const B64 = '[A-Za-z0-9+/]'
const CRYPT = '[./A-Za-z0-9]'

/** Forms that name themselves, and forms that a program alone writes. */
const named: readonly Rule[] = [
  [new RegExp(`^\\$1\\$[^$]{0,8}\\$${CRYPT}{22}$`), 'MD5 crypt', 'certain', 500, 'Unix and Cisco IOS type 5'],
  [new RegExp(`^\\$apr1\\$[^$]{0,8}\\$${CRYPT}{22}$`), 'Apache MD5 crypt', 'certain', 1600, 'htpasswd'],
  [new RegExp(`^\\$5\\$(rounds=\\d+\\$)?[^$]{0,16}\\$${CRYPT}{43}$`), 'SHA-256 crypt', 'certain', 7400, 'Unix'],
  [new RegExp(`^\\$6\\$(rounds=\\d+\\$)?[^$]{0,16}\\$${CRYPT}{86}$`), 'SHA-512 crypt', 'certain', 1800, 'Unix'],
  [new RegExp(`^\\$2[abxy]?\\$\\d\\d\\$${CRYPT}{53}$`), 'bcrypt', 'certain', 3200, 'OpenBSD, PHP, Rails, htpasswd -B'],
  [/^\$bcrypt-sha256\$/, 'bcrypt over SHA-256', 'certain', undefined, 'Passlib'],
  [new RegExp(`^\\$y\\$${CRYPT}+\\$${CRYPT}*\\$${CRYPT}{43}$`), 'yescrypt', 'certain', undefined, 'Linux since 2021'],
  [new RegExp(`^\\$gy\\$${CRYPT}+\\$${CRYPT}*\\$${CRYPT}{43}$`), 'GOST yescrypt', 'certain', undefined, 'ALT Linux'],
  [new RegExp(`^\\$7\\$${CRYPT}{11}[^$]*\\$${CRYPT}{43}$`), 'scrypt crypt', 'certain', undefined, 'Unix'],
  [/^\$argon2(id|i|d)\$(v=\d+\$)?m=\d+,t=\d+,p=\d+/, 'Argon2', 'certain', 34000, 'Password hashing since 2015'],
  [/^\$scrypt\$ln=\d+,r=\d+,p=\d+\$/, 'scrypt', 'certain', undefined, 'Passlib'],
  [/^SCRYPT:\d+:\d+:\d+:[^:]+:[^:]+$/, 'scrypt', 'certain', 8900, 'hashcat notation'],
  [new RegExp(`^\\$[PH]\\$${CRYPT}{31}$`), 'phpass', 'certain', 400, 'WordPress, phpBB, Joomla'],
  [new RegExp(`^\\$S\\$${CRYPT}{52}$`), 'Drupal 7', 'certain', 7900, 'Drupal'],
  [new RegExp(`^\\$wp\\$2[aby]\\$\\d\\d\\$${CRYPT}{53}$`), 'WordPress bcrypt', 'certain', 35500, 'WordPress since 6.8'],
  [/^\$B\$[^$]*\$[0-9a-f]{32}$/, 'MediaWiki B', 'certain', 3711, 'MediaWiki'],
  [new RegExp(`^\\$sha1\\$\\d+\\$[^$]+\\$${CRYPT}{28}$`), 'SHA-1 crypt', 'certain', 15100, 'NetBSD, Juniper'],
  [/^\$md5[,$]/, 'Sun MD5 crypt', 'certain', 3300, 'Solaris'],
  [/^\{SSHA\}/i, 'Salted SHA-1', 'certain', 111, 'LDAP'],
  [/^\{SHA\}/i, 'SHA-1 in Base64', 'certain', 101, 'LDAP, htpasswd -s'],
  [/^\{SSHA256\}[A-Za-z0-9+/]+=*$/i, 'Salted SHA-256', 'certain', 1411, 'LDAP'],
  [/^\{SSHA512\}[A-Za-z0-9+/]+=*$/i, 'Salted SHA-512', 'certain', 1711, 'LDAP'],
  [/^\{S?MD5\}[A-Za-z0-9+/]+=*$/i, 'MD5 in Base64, salted with S', 'certain', undefined, 'LDAP'],
  [/^\{PBKDF2-SHA(1|256|512)\}/i, 'PBKDF2', 'certain', undefined, '389 Directory Server, OpenLDAP'],
  [/^\{smd5\}[./A-Za-z0-9]{8}\$/, 'AIX MD5 crypt', 'certain', 6300, 'AIX'],
  [/^\{ssha1\}\d\d\$/, 'AIX SHA-1', 'certain', 6700, 'AIX'],
  [/^\{ssha256\}\d\d\$/, 'AIX SHA-256', 'certain', 6400, 'AIX'],
  [/^\{ssha512\}\d\d\$/, 'AIX SHA-512', 'certain', 6500, 'AIX'],
  [/^\{x-issha, \d+\}/, 'SAP CODVN H', 'certain', 10300, 'SAP'],
  [/^pbkdf2_sha256\$\d+\$[^$]+\$/, 'PBKDF2 with HMAC-SHA-256', 'certain', 10000, 'Django'],
  [/^pbkdf2_sha1\$\d+\$[^$]+\$/, 'PBKDF2 with HMAC-SHA-1', 'certain', undefined, 'Django'],
  [/^bcrypt(_sha256)?\$\$2/, 'bcrypt', 'certain', undefined, 'Django'],
  [/^sha1\$[^$]*\$[0-9a-f]{40}$/, 'Salted SHA-1', 'certain', 124, 'Django before 1.4'],
  [/^md5\$[^$]*\$[0-9a-f]{32}$/, 'Salted MD5', 'certain', undefined, 'Django'],
  [/^\$pbkdf2-sha512\$/, 'PBKDF2 with HMAC-SHA-512', 'certain', 20200, 'Passlib'],
  [/^\$pbkdf2-sha256\$/, 'PBKDF2 with HMAC-SHA-256', 'certain', 20300, 'Passlib'],
  [/^\$pbkdf2\$/, 'PBKDF2 with HMAC-SHA-1', 'certain', 20400, 'Passlib'],
  [/^(sha1|sha256|sha512|md5):\d+:[^:]+:[^:]+$/, 'PBKDF2', 'certain', undefined, 'hashcat notation'],
  [/^(pbkdf2|scrypt):[^$]+\$[^$]+\$[0-9a-f]+$/, 'Werkzeug password hash', 'certain', 30120, 'Flask'],
  [/^\*[0-9A-F]{40}$/i, 'MySQL 4.1 password', 'certain', 300, 'MySQL, MariaDB'],
  [/^\$A\$005\$/, 'MySQL caching_sha2_password', 'certain', 7401, 'MySQL 8'],
  [/^0x0100[0-9A-F]{48}$/i, 'MSSQL 2005', 'certain', 132, 'SQL Server 2005 to 2008'],
  [/^0x0100[0-9A-F]{88}$/i, 'MSSQL 2000', 'certain', 131, 'SQL Server 2000'],
  [/^0x0200[0-9A-F]{136}$/i, 'MSSQL 2012', 'certain', 1731, 'SQL Server since 2012'],
  [/^SCRAM-SHA-256\$\d+:[^$]+\$[^:]+:.+$/, 'PostgreSQL SCRAM-SHA-256', 'certain', 28600, 'PostgreSQL since 10'],
  [/^md5[0-9a-f]{32}$/, 'PostgreSQL MD5', 'certain', 12, 'PostgreSQL, of password and user name'],
  [/^S:[0-9A-F]{60}/i, 'Oracle 11g', 'certain', 112, 'Oracle'],
  [new RegExp(`^\\$8\\$${CRYPT}{14}\\$${CRYPT}{43}$`), 'Cisco IOS type 8', 'certain', 9200, 'PBKDF2 with SHA-256'],
  [new RegExp(`^\\$9\\$${CRYPT}{14}\\$${CRYPT}{43}$`), 'Cisco IOS type 9', 'certain', 9300, 'scrypt'],
  [/^\$DCC2\$\d+#[^#]*#[0-9a-f]{32}$/i, 'Domain Cached Credentials 2', 'certain', 2100, 'Windows since Vista'],
  [/^\$krb5tgs\$23\$/, 'Kerberos 5 TGS-REP, etype 23', 'certain', 13100, 'Active Directory'],
  [/^\$krb5asrep\$(23\$)?/, 'Kerberos 5 AS-REP, etype 23', 'certain', 18200, 'Active Directory'],
  [/^\$krb5pa\$23\$/, 'Kerberos 5 pre-authentication, etype 23', 'certain', 7500, 'Active Directory'],
  [/^\$krb5tgs\$1[78]\$/, 'Kerberos 5 TGS-REP with AES', 'certain', undefined, 'Active Directory'],
  [/^[^:]*::[^:]*:[0-9a-f]{16}:[0-9a-f]{32}:[0-9a-f]+$/i, 'NetNTLMv2', 'certain', 5600, 'Windows on the wire'],
  [/^[^:]*::[^:]*:[0-9a-f]{48}:[0-9a-f]{48}:[0-9a-f]{16}$/i, 'NetNTLMv1', 'certain', 5500, 'Windows on the wire'],
  [/^[^:]+:\d+:[0-9a-f]{32}:[0-9a-f]{32}:::$/i, 'LM and NTLM of an account', 'certain', 1000, 'pwdump, secretsdump'],
  [/^grub\.pbkdf2\.sha512\.\d+\./, 'GRUB 2 password', 'certain', 7200, 'GRUB'],
  [/^\$ml\$\d+\$/, 'macOS PBKDF2 with SHA-512', 'certain', 7100, 'macOS since 10.8'],
  [/^\$episerver\$\*0\*/, 'EPiServer with SHA-1', 'certain', 141, 'EPiServer'],
  [/^\$episerver\$\*1\*/, 'EPiServer with SHA-256', 'certain', 1441, 'EPiServer'],
  [/^WPA\*0[12]\*/, 'WPA handshake', 'certain', 22000, 'Wi-Fi'],
  [/^\$zip2\$/, 'WinZip', 'certain', 13600, 'ZIP with AES'],
  [/^\$pkzip2?\$/, 'PKZIP', 'certain', 17225, 'ZIP'],
  [/^\$7z\$/, '7-Zip', 'certain', 11600, '7-Zip'],
  [/^\$rar5\$/, 'RAR5', 'certain', 13000, 'RAR'],
  [/^\$RAR3\$/, 'RAR3', 'certain', undefined, 'RAR'],
  [/^\$office\$\*2007\*/, 'MS Office 2007', 'certain', 9400, 'Office'],
  [/^\$office\$\*2010\*/, 'MS Office 2010', 'certain', 9500, 'Office'],
  [/^\$office\$\*2013\*/, 'MS Office 2013', 'certain', 9600, 'Office'],
  [/^\$oldoffice\$/, 'MS Office 97 to 2003', 'certain', undefined, 'Office'],
  [/^\$pdf\$/, 'PDF', 'certain', undefined, 'PDF'],
  [/^\$keepass\$/, 'KeePass', 'certain', 13400, 'KeePass'],
  [/^\$ethereum\$/, 'Ethereum wallet', 'certain', undefined, 'Ethereum'],
  [/^\$bitcoin\$/, 'Bitcoin Core wallet', 'certain', 11300, 'Bitcoin'],
  [/^\$sshng\$/, 'OpenSSH private key', 'certain', undefined, 'SSH'],
  [/^\$gpg\$/, 'OpenPGP private key', 'certain', undefined, 'GnuPG'],
  [/^\$luks\$/i, 'LUKS volume', 'certain', undefined, 'Linux'],
  [/^sha(256|384|512)-[A-Za-z0-9+/]+={0,2}$/, 'Subresource Integrity', 'certain', undefined, 'HTML, package locks'],
  [/^sha256:[0-9a-f]{64}$/, 'SHA-256 digest of a container image', 'certain', undefined, 'OCI, Docker'],
  [/^SHA256:[A-Za-z0-9+/]{43}$/, 'OpenSSH key fingerprint', 'certain', undefined, 'ssh-keygen -l'],
  [/^(MD5:)?([0-9a-f]{2}:){15}[0-9a-f]{2}$/i, 'MD5 fingerprint', 'certain', undefined, 'SSH keys, certificates'],
  [/^([0-9A-F]{2}:){19}[0-9A-F]{2}$/i, 'SHA-1 fingerprint', 'certain', undefined, 'Certificates'],
  [/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/i, 'SHA-256 fingerprint', 'certain', undefined, 'Certificates'],
  [/^(T1)[0-9A-F]{70}$/i, 'TLSH', 'certain', undefined, 'Similarity of files'],
  [/^[0-9A-F]{70}$/, 'TLSH before version 4', 'likely', undefined, 'Similarity of files'],
  [new RegExp(`^\\d+:${B64}{0,64}:${B64}{0,64}(,".*")?$`), 'ssdeep', 'likely', undefined, 'Similarity of files'],
  [/^Qm[1-9A-HJ-NP-Za-km-z]{44}$/, 'IPFS CID, version 0', 'certain', undefined, 'IPFS'],
  [/^b[a-z2-7]{58}$/, 'IPFS CID, version 1', 'likely', undefined, 'IPFS'],
  [new RegExp(`^_${CRYPT}{19}$`), 'BSDi extended DES crypt', 'likely', 12400, 'BSD'],
  [new RegExp(`^${CRYPT}{13}$`), 'DES crypt', 'likely', 1500, 'Unix before 1995'],
]

/** Plain hexadecimal by the number of digits: the usual one first. */
const hexadecimal: Readonly<Record<number, readonly HashCandidate[]>> = {
  4: [possible('CRC-16')],
  8: [likely('CRC-32', 11500), possible('Adler-32'), possible('FNV-1a, 32 bits'), possible('xxHash32')],
  16: [
    likely('MySQL before 4.1', 200),
    possible('Half of an LM hash', 3000),
    possible('DES of Oracle 7 to 10g'),
    possible('XXH3 or xxHash64'),
    possible('CRC-64'),
    possible('FNV-1a, 64 bits'),
    unlikely('SipHash', 10100),
  ],
  32: [
    likely('MD5', 0),
    likely('NTLM', 1000),
    possible('MD4', 900),
    possible('LM', 3000),
    possible('Double MD5', 2600),
    possible('Domain Cached Credentials', 1100),
    unlikely('MD2'),
    unlikely('RIPEMD-128'),
    unlikely('BLAKE2 with 128 bits'),
    unlikely('XXH3, 128 bits'),
    unlikely('Tiger-128'),
  ],
  40: [
    likely('SHA-1', 100),
    possible('Git object'),
    possible('MySQL 4.1 password, or SHA-1 of SHA-1', 300),
    possible('RIPEMD-160', 6000),
    unlikely('Tiger-160'),
    unlikely('HAS-160'),
    unlikely('BLAKE2 with 160 bits'),
  ],
  48: [likely('Tiger-192'), possible('SHA-1 and a salt of 8 digits')],
  56: [likely('SHA-224', 1300), possible('SHA3-224', 17300), possible('SHA-512/224'), unlikely('Keccak-224', 17700)],
  64: [
    likely('SHA-256', 1400),
    possible('SHA3-256', 17400),
    possible('Keccak-256', 17800),
    possible('BLAKE3'),
    possible('BLAKE2s-256, or BLAKE2b with 256 bits'),
    possible('SHA-512/256'),
    possible('SM3', 31100),
    possible('Streebog-256', 11700),
    unlikely('GOST R 34.11-94', 6900),
    unlikely('RIPEMD-256'),
    unlikely('Double SHA-256'),
  ],
  80: [likely('RIPEMD-320')],
  96: [likely('SHA-384', 10800), possible('SHA3-384', 17500), unlikely('Keccak-384', 17900)],
  128: [
    likely('SHA-512', 1700),
    possible('SHA3-512', 17600),
    possible('BLAKE2b-512', 600),
    possible('Whirlpool', 6100),
    possible('Streebog-512', 11800),
    unlikely('Keccak-512', 18000),
    unlikely('BLAKE-512'),
  ],
}

function likely(name: string, hashcat?: number): HashCandidate {
  return candidate(name, 'likely', hashcat)
}
function possible(name: string, hashcat?: number): HashCandidate {
  return candidate(name, 'possible', hashcat)
}
function unlikely(name: string, hashcat?: number): HashCandidate {
  return candidate(name, 'unlikely', hashcat)
}
function candidate(name: string, likelihood: Likelihood, hashcat?: number, met?: string): HashCandidate {
  return { name, likelihood, ...(hashcat !== undefined && { hashcat }), ...(met && { met }) }
}

/** A hash and a salt behind a colon. */
const salted: Readonly<Record<number, HashCandidate>> = {
  32: likely('MD5 of password and salt', 10),
  40: likely('SHA-1 of password and salt', 110),
  56: likely('SHA-224 of password and salt', 1310),
  64: likely('SHA-256 of password and salt', 1410),
  96: likely('SHA-384 of password and salt', 10810),
  128: likely('SHA-512 of password and salt', 1710),
}

/** Hashes of nothing at all, which turn up where a file or a password was empty. */
const ofNothing: Readonly<Record<string, string>> = {
  d41d8cd98f00b204e9800998ecf8427e: 'MD5',
  '31d6cfe0d16ae931b73c59d7e0c089c0': 'NTLM',
  aad3b435b51404eeaad3b435b51404ee: 'LM',
  aad3b435b51404ee: 'Half of an LM hash',
  da39a3ee5e6b4b0d3255bfef95601890afd80709: 'SHA-1',
  e69de29bb2d1d6434b8b29ae775ad8c2e48c5391: 'Git object',
  '9c1185a5c5e9fc54612808977ee8f548b2258d31': 'RIPEMD-160',
  e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855: 'SHA-256',
  a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a: 'SHA3-256',
  c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470: 'Keccak-256',
  af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262: 'BLAKE3',
}

export interface Identified {
  candidates: HashCandidate[]
  /** The function whose hash of the empty text this is. */
  empty?: string
  /** The hash inside a line of /etc/shadow or htpasswd. */
  inner?: string
}

/** The hashes that have this form, the likeliest first; none when the text is no hash known here. */
export function identifyHash(text: string): Identified {
  const value = text.trim()
  const own = ownForms(value)
  if (own.length > 0) return { candidates: own }
  const [, inner] = /^[^:\s$]{1,64}:([$*{_][^:]{12,}|[./A-Za-z0-9]{13})(?::[^:]*){0,7}$/.exec(value) ?? []
  const within = inner ? ownForms(inner) : []
  if (inner && within.length > 0) return { candidates: within, inner }
  return plainForms(value)
}

function ownForms(value: string): HashCandidate[] {
  return named
    .filter(([pattern]) => pattern.test(value))
    .map(([, name, likelihood, hashcat, met]) => candidate(name, likelihood, hashcat, met))
    .sort(byLikelihood)
}

function plainForms(value: string): Identified {
  const hex = value.replace(/^0x/i, '').toLowerCase()
  if (/^[0-9a-f]+$/.test(hex)) {
    const empty = ofNothing[hex]
    const candidates = hexadecimal[hex.length] ?? []
    if (!empty) return { candidates: [...candidates] }
    const raised = candidates.map(entry =>
      entry.name === empty ? { ...entry, likelihood: 'certain' as const } : entry,
    )
    return { candidates: raised.sort(byLikelihood), empty }
  }
  const [, head = ''] = /^([0-9a-f]+):[^:]+$/i.exec(value) ?? []
  const withSalt = salted[head.length]
  if (withSalt) return { candidates: [withSalt] }
  return { candidates: inBase64(value) }
}

/** The lengths of hashes in Base64 with its padding; the function is as open as in hexadecimal. */
function inBase64(value: string): HashCandidate[] {
  // A word of letters alone is no hash: three kinds of characters in so many are missing once in thousands.
  if (!/^[A-Za-z0-9+/_-]{22,}={0,2}$/.test(value)) return []
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/\d/.test(value)) return []
  const characters = value.replace(/=+$/, '').length
  const bytes = Math.floor((characters * 3) / 4)
  if (Math.ceil((bytes * 4) / 3) !== characters || bytes < 16) return []
  return (hexadecimal[bytes * 2] ?? [])
    .filter(({ likelihood }) => likelihood !== 'unlikely')
    .map(entry => ({ ...entry, name: `${entry.name}, in Base64`, likelihood: 'possible' }))
}

const byLikelihood = (a: HashCandidate, b: HashCandidate) => ORDER.indexOf(a.likelihood) - ORDER.indexOf(b.likelihood)
