/**
 * The first process of the namespaces: builds the lab, reports to the process that started it, and stays. When it ends,
 * the kernel ends everything else in here.
 *
 * usage: inside.ts FOLDER [tied]
 */
import fs from 'node:fs'
import path from 'node:path'
import { makeCertificates } from './certificates.ts'
import { command } from './command.ts'
import { supervisor } from './daemons.ts'
import { addressesOf } from './inventory.ts'
import { buildNetwork } from './network.ts'
import { startResolvers } from './resolvers.ts'
import { assertIsolated, assertSealed } from './seal.ts'
import { allReady, startNameServers, startOthers, startWeb } from './servers.ts'
import { makeZones } from './zone-files.ts'

const deadlineMs = 20_000

async function build(lab: string): Promise<void> {
  await assertIsolated()
  await privateRun()
  const start = supervisor(lab)
  fs.mkdirSync(path.join(lab, 'run'))

  const network = buildNetwork(lab, start).then(assertSealed)
  const certificates = makeCertificates(lab)
  const zones = makeZones(lab)
  await Promise.all([
    network.then(() => startOthers(lab, start)),
    Promise.all([network, certificates]).then(() => startWeb(lab, start)),
    Promise.all([network, zones]).then(() => startNameServers(lab, start)),
    Promise.all([network, zones, certificates]).then(() => startResolvers(lab, start)),
    reportWhenDone({ network, certificates, zones }),
  ])
  await Promise.all([replaceSystemFiles(lab), allReady()])
}

/** `ip netns` keeps its names in /run/netns; the lab's own must not be seen outside. */
async function privateRun(): Promise<void> {
  const target = fs.existsSync('/run/netns') ? '/run/netns' : '/run'
  await command('mount', ['-t', 'tmpfs', 'tmpfs', target])
  fs.mkdirSync('/run/netns', { recursive: true })
}

/** Inside the lab, the system's resolvers and the system's certificate authorities are the lab's. */
async function replaceSystemFiles(lab: string): Promise<void> {
  const file = path.join(lab, 'resolv.conf')
  const servers = addressesOf(['dns.google', 'one.one.one.one']).filter((_, index) => index % 4 === 0)
  fs.writeFileSync(file, `${servers.map(text => `nameserver ${text}\n`).join('')}options timeout:2\n`)
  await bind(file, '/etc/resolv.conf')
  await bind(path.join(lab, 'tls/ca.pem'), '/etc/ssl/certs/ca-certificates.crt')
}

async function bind(file: string, target: string): Promise<void> {
  const real = realFile(target)
  if (real !== undefined) await command('mount', ['--bind', file, real])
}

/** Where a system file really is. A link into /run, which is empty by now, gets something to point to. */
function realFile(file: string): string | undefined {
  const status = fs.lstatSync(file, { throwIfNoEntry: false })
  if (status === undefined) return undefined
  if (fs.existsSync(file)) return fs.realpathSync(file)
  const target = path.resolve(path.dirname(file), fs.readlinkSync(file))
  fs.mkdirSync(path.dirname(target), { recursive: true })
  fs.writeFileSync(target, '')
  return target
}

async function reportWhenDone(parts: Readonly<Record<string, Promise<unknown>>>): Promise<void> {
  await Promise.all(Object.entries(parts).map(([name, part]) => part.then(() => report(name))))
}

function report(what: string): void {
  console.log(`${(performance.now() / 1000).toFixed(2)} s: ${what}`)
}

const [lab = '', tied] = process.argv.slice(2)
const deadline = setTimeout(() => {
  console.log('the lab is not ready in time')
  process.exit(1)
}, deadlineMs)
try {
  await build(lab)
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
  process.exit(1)
}
clearTimeout(deadline)
report('every server answers')
process.send?.('ready')
if (tied === 'tied') process.on('disconnect', () => process.exit(1))
