import fs from 'node:fs'
import path from 'node:path'
import { reverseName } from '@assay/lib/ip/address'
import { command } from './command.ts'
import { faultHost, faultNames } from './faults.ts'
import { type Host, hosts } from './inventory.ts'
import { ends, links } from './topology.ts'
import { keyFlags, makeZoneKey } from './zone-keys.ts'
import { fileOf, type Signing, type Zone, zones } from './zones.ts'

/**
 * Makes the zones that the servers load in `<lab>/zones`: the files of lab/zones with everything they include, and the
 * signed versions. Also writes the trust anchor and the root hints.
 */
export async function makeZones(lab: string): Promise<void> {
  const folder = path.join(lab, 'zones')
  fs.cpSync(path.join(import.meta.dirname, '../zones'), folder, { recursive: true })
  writeAddresses(folder)
  writePointers(folder)
  writeFaults(folder)
  for (const zone of zones) fs.writeFileSync(path.join(folder, `${stemOf(zone)}.full`), expand(folder, zone))
  await signZones(lab, folder)
  writeTrustAnchor(lab)
  writeHints(lab)
}

/** The file a server loads for the zone. */
export function servedFile(zone: Zone): string {
  return `${stemOf(zone)}.${zone.signing ? 'signed' : 'full'}`
}

/** Unlike its name, a zone's name and first server are unique and can be a file's name. */
function stemOf({ name, servers }: Zone): string {
  return `${name === '.' ? 'root' : name.replace('/', '-')}@${servers[0]}`
}

/**
 * The zone's file with `$INCLUDE file origin` resolved as RFC 1035 §5.1 says; Knot wants the origin to be absolute.
 * DS records stay included, since they do not exist before the children are signed.
 */
function expand(folder: string, zone: Zone): string {
  const read = (file: string, origin: string): string =>
    fs
      .readFileSync(path.join(folder, file), 'utf8')
      .replace(/^\$INCLUDE (?!dsset-)(\S+)(?: (\S+))?$/gm, (_, included: string, relative = '@') => {
        const inner = within(relative, origin)
        return `$ORIGIN ${inner}\n${read(included, inner)}$ORIGIN ${origin}`
      })
  const origin = absolute(zone.name)
  return `$ORIGIN ${origin}\n${read(`${fileOf(zone)}.zone`, origin)}`
}

function within(relative: string, origin: string): string {
  if (relative === '@') return origin
  return relative.endsWith('.') ? relative : `${relative}.${origin === '.' ? '' : origin}`
}

function absolute(name: string): string {
  return name === '.' ? '.' : `${name}.`
}

/** One file per host, so that a zone can say `$INCLUDE address/www.good.test www`. */
function writeAddresses(folder: string): void {
  fs.mkdirSync(path.join(folder, 'address'))
  for (const { name, v4, v6 } of Object.values(hosts)) {
    const records = [...v4.map(text => `@ A ${text}\n`), ...v6.map(text => `@ AAAA ${text}\n`)]
    fs.writeFileSync(path.join(folder, 'address', name), records.join(''))
  }
}

/** What fault.test holds: each host, and the zone that is delegated to it. */
function writeFaults(folder: string): void {
  const of = (name: string) => `$INCLUDE address/${faultHost(name)} ${name}\nzone.${name} NS ${name}\n`
  fs.writeFileSync(path.join(folder, 'faults'), faultNames.map(of).join(''))
}

/** One file per reverse zone, with the PTR records of every address that no other reverse zone is closer to. */
function writePointers(folder: string): void {
  fs.mkdirSync(path.join(folder, 'pointers'))
  const reverse = zones.map(zone => zone.name).filter(name => /^[^/]*(in-addr|ip6)\.arpa$/.test(name))
  const records = new Map<string, string[]>(reverse.map(name => [name, []]))
  for (const { owner, target } of [...Object.values(hosts).flatMap(pointersOf), ...linkPointers()]) {
    const closest = reverse.filter(name => owner.endsWith(`.${name}`)).sort((a, b) => b.length - a.length)[0]
    if (closest) records.get(closest)?.push(`${owner}. PTR ${target}.\n`)
  }
  for (const [name, lines] of records) fs.writeFileSync(path.join(folder, 'pointers', name), lines.join(''))
}

interface Pointer {
  readonly owner: string
  readonly target: string
}

function pointersOf({ v4, v6, pointers }: Host): Pointer[] {
  return [...v4, ...v6].flatMap(text => pointers.map(target => ({ owner: reverseName(text), target })))
}

/** The interfaces between routers, except those that already have a name as a host. */
function linkPointers(): Pointer[] {
  const named = new Set(Object.values(hosts).flatMap(({ v4, v6 }) => [...v4, ...v6]))
  return links
    .flatMap(ends)
    .flatMap(({ machine, device, v4, v6 }) =>
      [v4, v6]
        .filter(text => !named.has(text))
        .map(text => ({ owner: reverseName(text), target: `${device}.${machine}.transit.test` })),
    )
}

/** Signs children before parents: a zone waits for the zones whose DS records it includes. */
async function signZones(lab: string, folder: string): Promise<void> {
  const keys = path.join(lab, 'keys')
  fs.mkdirSync(keys)
  const done = new Map<string, Promise<void>>()
  const signed = (name: string): Promise<void> => {
    const zone = zones.find(zone => zone.name === name)
    if (!zone?.signing) throw new Error(`a zone includes the DS records of ${name}, which is not signed`)
    const running = done.get(name) ?? signZone(zone, zone.signing)
    done.set(name, running)
    return running
  }
  async function signZone(zone: Zone, signing: Signing): Promise<void> {
    const key = makeKeys(zone, signing, keys)
    const text = fs.readFileSync(path.join(folder, `${stemOf(zone)}.full`), 'utf8')
    const children = [...text.matchAll(/^\$INCLUDE dsset-(\S+)\.$/gm)].map(match => match[1] ?? '')
    await Promise.all([key, ...children.map(signed)])
    await command('dnssec-signzone', signzoneArguments(zone, signing, keys), { cwd: folder })
    if (signing.digest) await writeDs(zone, signing.digest, folder)
    if (signing.spoil) {
      const file = path.join(folder, servedFile(zone))
      fs.writeFileSync(file, signing.spoil(fs.readFileSync(file, 'utf8')))
    }
  }
  await Promise.all(zones.filter(zone => zone.signing).map(zone => signed(zone.name)))
}

async function makeKeys(zone: Zone, { algorithm, twoKeys }: Signing, folder: string): Promise<void> {
  await makeZoneKey(folder, absolute(zone.name), algorithm, keyFlags.keySigning)
  if (twoKeys) await makeZoneKey(folder, absolute(zone.name), algorithm, keyFlags.zoneSigning)
}

/** dnssec-signzone writes DS records with SHA-256 alone. */
async function writeDs(zone: Zone, digest: NonNullable<Signing['digest']>, folder: string): Promise<void> {
  const records = await command('dnssec-dsfromkey', ['-a', digest, '-f', servedFile(zone), zone.name], { cwd: folder })
  fs.writeFileSync(path.join(folder, `dsset-${absolute(zone.name)}`), records)
}

function signzoneArguments(zone: Zone, { twoKeys, nsec3, years, hours }: Signing, keys: string): string[] {
  return [
    ...[
      '-q',
      '-n',
      '1',
      '-S',
      '-P',
      '-K',
      keys,
      '-o',
      absolute(zone.name),
      '-N',
      'keep',
      '-O',
      'full',
      '-f',
      servedFile(zone),
    ],
    twoKeys ? '-x' : '-z',
    ...(nsec3 ? ['-3', '-', '-H', String(nsec3.iterations)] : []),
    ...(nsec3?.optOut ? ['-A'] : []),
    ...(years ? ['-s', `${years[0]}0101000000`, '-e', `${years[1]}0101000000`] : []),
    ...(hours ? ['-e', `now+${hours * 3600}`] : []),
    `${stemOf(zone)}.full`,
  ]
}

/** The same anchor in the three forms that programs read. */
function writeTrustAnchor(lab: string): void {
  const ds = fs.readFileSync(path.join(lab, 'zones/dsset-.'), 'utf8')
  const fields = /DS\s+(\d+)\s+(\d+)\s+(\d+)\s+([0-9A-F ]+?)\s*$/m.exec(ds)
  if (!fields) throw new Error(`no DS record of the root in: ${ds}`)
  const [, tag, algorithm, digestType, digest = ''] = fields
  const hex = digest.replaceAll(' ', '')
  fs.writeFileSync(path.join(lab, 'root.anchor'), `. IN DS ${tag} ${algorithm} ${digestType} ${hex}\n`)
  fs.writeFileSync(
    path.join(lab, 'bind.anchor'),
    `trust-anchors { . static-ds ${tag} ${algorithm} ${digestType} "${hex}"; };\n`,
  )
  const signed = fs.readFileSync(path.join(lab, 'zones/root@root.signed'), 'utf8')
  const key = /^\.\s.*\sDNSKEY\s+257 .*$/m.exec(signed)
  if (!key) throw new Error('the root zone has no key-signing key')
  fs.writeFileSync(path.join(lab, 'root.key'), `${key[0]}\n`)
}

function writeHints(lab: string): void {
  const lines = Object.values(hosts)
    .filter(({ name }) => name.endsWith('.root-servers.net'))
    .flatMap(({ name, v4, v6 }) => [
      `. 3600000 NS ${name}.\n`,
      ...v4.map(text => `${name}. 3600000 A ${text}\n`),
      ...v6.map(text => `${name}. 3600000 AAAA ${text}\n`),
    ])
  fs.writeFileSync(path.join(lab, 'root.hints'), lines.join(''))
}
