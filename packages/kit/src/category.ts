/** The categories of the site in page order. Slugs and the first seven names are part of its addresses. */
export const categories = [
  { slug: 'dns-tools', title: 'DNS Tools', summary: 'Who a name belongs to, what it answers, and whether it holds.' },
  {
    slug: 'network-tools',
    title: 'Network Tools',
    summary: 'Paths, servers, certificates and mail, seen from outside.',
  },
  {
    slug: 'hash-generators-and-checksum',
    title: 'Hash Generators and Checksum',
    summary: 'Fingerprints of texts and files, and passwords stored safely.',
  },
  {
    slug: 'encryption-and-decryption',
    title: 'Encryption and Decryption',
    summary: 'Symmetric and public-key ciphers, bytes in and bytes out.',
  },
  {
    slug: 'digital-signatures-and-key-management',
    title: 'Digital Signatures and Key Management',
    summary: 'Keys made, converted and used to sign and verify.',
  },
  {
    slug: 'cipher-tools-and-simulators',
    title: 'Cipher Tools and Simulators',
    summary: 'The classical ciphers, step by step, and how they break.',
  },
  {
    slug: 'encoding-and-decoding',
    title: 'Encoding and Decoding',
    summary: 'Bytes carried through text and back without loss.',
  },
  {
    slug: 'certificate-and-pki-tools',
    title: 'Certificate and PKI Tools',
    summary: 'Certificates, requests and chains, read field by field.',
  },
  {
    slug: 'generators-and-randomness',
    title: 'Generators and Randomness',
    summary: 'Passwords, identifiers and codes from the system generator.',
  },
  {
    slug: 'attack-demos-and-analysis',
    title: 'Attack Demos and Analysis',
    summary: 'How weak choices fall, on values of your own.',
  },
  {
    slug: 'web3-and-blockchain',
    title: 'Web3 and Blockchain',
    summary: 'Addresses, hashes and encodings of the chains.',
  },
] as const satisfies readonly { slug: string; title: string; summary: string }[]

export type CategorySlug = (typeof categories)[number]['slug']
