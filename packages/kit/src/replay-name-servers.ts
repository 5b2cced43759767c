import type { Message, ResourceRecord } from '@assay/lib/dns/message'
import type { TransferEnd } from '@assay/lib/dns/transfer'
import type { ListAnswer, NameServers } from './context-name-servers.ts'

/** Servers that answer with authority from the zone of a recording; those listed give it away whole. */
export function recordedNameServers(zoneText = '', transfers: readonly string[] = []): NameServers {
  return {
    async *transfer(server, zone): AsyncGenerator<ResourceRecord[], TransferEnd, void> {
      if (!transfers.includes(server)) return { status: 'refused', rcode: 'REFUSED', messages: 1, records: 0, bytes: 0 }
      const [{ parseZone }, { isWithin }] = await Promise.all([
        import('@assay/lib/dns/zone'),
        import('@assay/lib/dns/name'),
      ])
      const records = parseZone(zoneText, '.').filter(({ name }) => isWithin(name, zone))
      yield records
      return { status: 'transferred', rcode: 'NOERROR', messages: 1, records: records.length + 1, bytes: 0 }
    },

    async *askAll(_, questions): AsyncGenerator<ListAnswer[], void, void> {
      const [{ parseZone }, { equalNames, isWithin }, { createQuery }] = await Promise.all([
        import('@assay/lib/dns/zone'),
        import('@assay/lib/dns/name'),
        import('@assay/lib/dns/message'),
      ])
      const records = parseZone(zoneText, '.')
      const answer = (name: string, type: string): Message => {
        const here = records.filter(record => equalNames(record.name, name))
        const answers = here.filter(record => record.type === type || record.type === 'CNAME')
        const exists = records.some(record => isWithin(record.name, name))
        const query = createQuery({ id: 0, name, type })
        return { ...query, qr: true, aa: true, rcode: exists ? 'NOERROR' : 'NXDOMAIN', answers }
      }
      const batch = Array.from(questions, question => ({ question, message: answer(question.name, question.type) }))
      if (batch.length) yield batch
    },
  }
}
