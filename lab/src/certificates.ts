import fs from 'node:fs'
import path from 'node:path'
import { command } from './command.ts'
import { faultHost, faultNames } from './faults.ts'
import { hostsOn } from './inventory.ts'
import { configuration } from './template.ts'

const day = 86_400_000

/** Days before and after the present. */
interface Validity {
  readonly fromDays: number
  readonly untilDays: number
}

const current: Validity = { fromDays: -30, untilDays: 60 }

/** A server certificate: the file `<name>.pem` holds it with the issuing CA's, `<name>.alone.pem` without. */
interface Certificate {
  readonly name: string
  readonly subject: string
  readonly names: readonly string[]
  readonly validity: Validity
  readonly key?: readonly string[]
}

const webNames = hostsOn('hosting')
  .filter(({ name }) => name !== 'wronghost.tls.test')
  .flatMap(({ name, aliases }) => [name, ...aliases])
  .map(name => `DNS:${name}`)

const resolverNames = hostsOn('resolvers').flatMap(({ name, aliases, v4, v6 }) => [
  ...[name, ...aliases].map(name => `DNS:${name}`),
  ...[...v4, ...v6].map(text => `IP:${text}`),
])

const faultyNames = faultNames.map(name => `DNS:${faultHost(name)}`)

const registryNames = hostsOn('registry').map(({ name }) => `DNS:${name}`)

const certificates: readonly Certificate[] = [
  { name: 'web', subject: 'www.good.test', names: webNames, validity: current },
  { name: 'rsa', subject: 'rsa.tls.test', names: webNames, validity: current, key: ['-newkey', 'rsa:2048', '-nodes'] },
  { name: 'expired', subject: 'expired.tls.test', names: webNames, validity: { fromDays: -120, untilDays: -30 } },
  { name: 'wronghost', subject: 'other.test', names: ['DNS:other.test'], validity: current },
  { name: 'registries', subject: 'data.iana.org', names: registryNames, validity: current },
  { name: 'faults', subject: 'fault.test', names: faultyNames, validity: current },
  { name: 'resolvers', subject: 'dns.google', names: resolverNames, validity: current },
]

/**
 * Makes the lab's certificate authority `ca.pem`, an issuing CA below it, and the server certificates, in `<lab>/tls`.
 * The keys are made anew each time: nobody should be able to trust a CA whose key is published.
 */
export async function makeCertificates(lab: string): Promise<void> {
  const folder = path.join(lab, 'tls')
  fs.mkdirSync(folder)
  await Promise.all([
    makeAuthorities(folder),
    makeSmallGroup(folder),
    ...certificates.map(certificate => request(folder, certificate)),
  ])
  await Promise.all([
    ...certificates.map(certificate => issue(folder, certificate)),
    selfSigned(folder, 'selfsigned', 'selfsigned.tls.test'),
  ])
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

async function makeAuthorities(folder: string): Promise<void> {
  const config = writeConfig(folder, 'authority', [])
  const subject = (name: string) => ['-config', config, '-subj', `/CN=${name}`]
  const files = (name: string) => ['-keyout', `${name}.key`, '-out', `${name}.pem`]
  await command(
    'openssl',
    ['req', '-x509', ...newKey, ...subject('Lab Root CA'), ...files('ca'), '-days', '3650', '-extensions', 'authority'],
    { cwd: folder },
  )
  await command(
    'openssl',
    [
      ...['req', '-x509', ...newKey, ...subject('Lab Issuing CA'), ...files('issuing')],
      ...['-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', '1825', '-extensions', 'authority'],
    ],
    { cwd: folder },
  )
}

/** A Diffie-Hellman group of 1024 bits, which is too small (RFC 9325 §4.1). */
async function makeSmallGroup(folder: string): Promise<void> {
  await command('openssl', ['dhparam', '-dsaparam', '-out', 'small-group.pem', '1024'], { cwd: folder })
}

async function request(folder: string, { name, subject, names, key = newKey }: Certificate): Promise<void> {
  const config = writeConfig(folder, name, names)
  await command(
    'openssl',
    ['req', ...key, '-config', config, '-subj', `/CN=${subject}`, '-keyout', `${name}.key`, '-out', `${name}.csr`],
    { cwd: folder },
  )
}

async function issue(folder: string, { name, validity }: Certificate): Promise<void> {
  await command(
    'openssl',
    [
      ...['ca', '-batch', '-notext', '-config', `${name}.cnf`, '-extensions', 'server', '-in', `${name}.csr`],
      ...['-cert', 'issuing.pem', '-keyfile', 'issuing.key', '-out', `${name}.alone.pem`],
      ...['-startdate', asn1Time(validity.fromDays), '-enddate', asn1Time(validity.untilDays)],
    ],
    { cwd: folder },
  )
  const chain = ['alone.pem', 'pem'].map((extension, index) => `${index ? 'issuing' : name}.${extension}`)
  const text = chain.map(file => fs.readFileSync(path.join(folder, file), 'utf8')).join('')
  fs.writeFileSync(path.join(folder, `${name}.pem`), text)
}

async function selfSigned(folder: string, name: string, host: string): Promise<void> {
  const config = writeConfig(folder, name, [`DNS:${host}`])
  await command(
    'openssl',
    [
      ...['req', '-x509', ...newKey, '-config', config, '-extensions', 'server', '-subj', `/CN=${host}`],
      ...['-days', '90', '-keyout', `${name}.key`, '-out', `${name}.pem`],
    ],
    { cwd: folder },
  )
}

function writeConfig(folder: string, name: string, names: readonly string[]): string {
  const file = path.join(folder, `${name}.cnf`)
  fs.writeFileSync(file, configuration('openssl.cnf', { folder, name, names: names.join(',') || 'DNS:none.test' }))
  fs.writeFileSync(path.join(folder, `${name}.db`), '')
  fs.writeFileSync(
    path.join(folder, `${name}.serial`),
    `${Math.floor(Math.random() * 2 ** 40)
      .toString(16)
      .padStart(12, '0')}\n`,
  )
  return file
}

/** RFC 5280 §4.1.2.5.2: YYYYMMDDHHMMSSZ. */
function asn1Time(daysFromNow: number): string {
  return `${new Date(Date.now() + daysFromNow * day).toISOString().replace(/\D/g, '').slice(0, 14)}Z`
}
