/** The DNS as a zone file says it, for the tests of this folder and its neighbours. */
import { parseZone } from '../dns/zone.ts'
import type { MailAnswer, MailDns } from './dns.ts'

/** Answers from a zone below example.com, follows one alias, notes what was asked; `failing` names never answer. */
export function planted(zone: string, failing: readonly string[] = []): MailDns & { asked: string[] } {
  const all = parseZone(zone, 'example.com.')
  const asked: string[] = []
  const at = (owner: string) => all.filter(record => record.name.toLowerCase() === owner)
  return {
    asked,
    async resolve(name, type): Promise<MailAnswer> {
      asked.push(`${name} ${type}`)
      const owner = name.toLowerCase()
      if (failing.includes(owner)) return { status: 'timeout', records: [] }
      const [alias] = at(owner).filter(record => record.type === 'CNAME')
      const target = alias?.type === 'CNAME' ? (alias.data?.cname ?? owner) : owner
      const records = at(target).filter(record => record.type === type)
      if (records.length) return { status: 'answer', records: alias ? [alias, ...records] : records }
      const below = all.some(record => record.name.toLowerCase().endsWith(`.${owner}`))
      return { status: at(owner).length || below ? 'nodata' : 'nxdomain', records: [] }
    },
  }
}
