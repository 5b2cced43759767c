import { measureBrowser } from './browser.ts'
import { measureCompute } from './compute.ts'
import { measureDns } from './dns.ts'
import { measureLighthouse } from './lighthouse.ts'
import { measurePages } from './pages.ts'
import { measurePorts } from './ports.ts'
import { measureServer } from './server.ts'
import { printTable, type Row } from './table.ts'

/**
 * `npm run bench` takes every measure, `npm run bench server dns` some. Each is a ratio from one run on one machine;
 * what is missing on the machine is said in place of its table.
 */
const measures: Record<string, { title: string; measure(): Promise<Row[]> }> = {
  compute: { title: 'Cryptography', measure: measureCompute },
  browser: { title: 'A file in the browser', measure: measureBrowser },
  server: { title: 'Requests', measure: measureServer },
  dns: { title: 'DNS in bulk', measure: measureDns },
  ports: { title: 'Ports', measure: measurePorts },
  pages: { title: 'Pages', measure: measurePages },
  lighthouse: { title: 'Lighthouse', measure: measureLighthouse },
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !(name in measures))
if (unknown.length) {
  console.error(`There is no measure ${unknown.join(', ')}; there are ${Object.keys(measures).join(', ')}.`)
  process.exit(2)
}
let missed = 0
for (const [name, { title, measure }] of Object.entries(measures)) {
  if (wanted.length && !wanted.includes(name)) continue
  const rows = await measure()
  missed += rows.filter(({ holds }) => !holds).length
  printTable(title, rows)
}
console.log(missed ? `\n${missed} goals missed` : '\nall goals hold')
process.exit(0)
