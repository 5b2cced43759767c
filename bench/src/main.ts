import { spawnSync } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { printTable, type Row } from './table.ts'

/**
 * `npm run bench` takes every measure, `npm run bench server dns` some. Each is a ratio from one run on one machine;
 * what is missing on the machine is said in place of its figures. Those that need an Internet are taken in the lab, by
 * this same program, whose exit code in there is the number of goals missed.
 */
interface Measure {
  title: string
  measure(): Promise<Row[]>
  inLab?: true
}

const measures: Record<string, Measure> = {
  hashes: { title: 'Hashes', measure: async () => (await import('./hashes.ts')).measureHashes() },
  ciphers: { title: 'Ciphers', measure: async () => (await import('./ciphers.ts')).measureCiphers() },
  passwords: {
    title: 'Keys from passwords',
    measure: async () => (await import('./passwords.ts')).measurePasswords(),
  },
  keys: { title: 'Keys and signatures', measure: async () => (await import('./keys.ts')).measureKeys() },
  codecs: { title: 'Codecs', measure: async () => (await import('./codecs.ts')).measureCodecs() },
  browser: { title: 'A file in the browser', measure: async () => (await import('./browser.ts')).measureBrowser() },
  start: { title: 'Start, and a second process', measure: async () => (await import('./start.ts')).measureStart() },
  server: { title: 'Requests', measure: async () => (await import('./server.ts')).measureServer() },
  accounts: { title: 'Accounts', measure: async () => (await import('./accounts.ts')).measureAccounts() },
  dns: { title: 'DNS in bulk', measure: async () => (await import('./dns.ts')).measureDns() },
  transfer: { title: 'Zone transfer', measure: async () => (await import('./transfer.ts')).measureTransfer() },
  ports: { title: 'Ports', measure: async () => (await import('./ports.ts')).measurePorts() },
  names: { title: 'Look-alike names', measure: async () => (await import('./names.ts')).measureNames() },
  registered: {
    title: 'Names that exist',
    measure: async () => (await import('./registered.ts')).measureRegistered(),
    inLab: true,
  },
  dnssec: { title: 'DNSSEC', measure: async () => (await import('./dnssec.ts')).measureDnssec(), inLab: true },
  tls: { title: 'TLS', measure: async () => (await import('./tls.ts')).measureTls(), inLab: true },
  trace: { title: 'Traceroute', measure: async () => (await import('./trace.ts')).measureTrace(), inLab: true },
  resolvers: {
    title: 'Thirty resolvers',
    measure: async () => (await import('./resolvers.ts')).measureResolvers(),
    inLab: true,
  },
  pages: { title: 'Pages', measure: async () => (await import('./pages.ts')).measurePages() },
  lighthouse: { title: 'Lighthouse', measure: async () => (await import('./lighthouse.ts')).measureLighthouse() },
}
const isInLab = process.env.LAB === '1'

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !(name in measures))
if (unknown.length) {
  console.error(`There is no measure ${unknown.join(', ')}; there are ${Object.keys(measures).join(', ')}.`)
  process.exit(2)
}
const chosen = Object.entries(measures).filter(([name]) => !wanted.length || wanted.includes(name))
const forLab = isInLab ? [] : chosen.filter(([, { inLab }]) => inLab).map(([name]) => name)
if (!isInLab) {
  const [load = 0] = loadavg()
  console.log(`Before it begins, the load of ${availableParallelism()} processors is ${load.toFixed(1)}.`)
}
let missed = 0
for (const [name, { title, measure }] of chosen) {
  if (forLab.includes(name)) continue
  try {
    const rows = await measure()
    missed += rows.filter(({ holds }) => holds === false).length
    printTable(title, rows)
  } catch (error) {
    console.log(`\n## ${title}\n\nnot measured: ${error instanceof Error ? error.message : error}`)
  }
}
if (forLab.length) missed += measureInLab(forLab)
if (isInLab) process.exit(missed)
console.log(missed ? `\n${missed} goals missed` : '\nall goals hold')
process.exit(0)

function measureInLab(names: readonly string[]): number {
  const lab = join(import.meta.dirname, '../../lab/src/main.ts')
  const line = [lab, 'run', '--', process.execPath, import.meta.filename, ...names]
  const { status } = spawnSync(process.execPath, line, { stdio: 'inherit' })
  // The lab's own codes, of sysexits.h, begin at 64; it has said why.
  if (status !== null && status < 64) return status
  console.log(`\nnot measured, for want of a lab: ${names.join(', ')}`)
  return 0
}
