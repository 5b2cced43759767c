/** Where the chain of trust begins: DS records of the root's keys, told by IANA and not by the DNS (RFC 7958). */
import type { RecordData, ResourceRecord } from './message.ts'
import { ROOT } from './name.ts'
import { parseZone } from './zone.ts'

export type DsRecord = Extract<ResourceRecord, { type: 'DS' }> & { data: RecordData<'DS'> }

/**
 * https://data.iana.org/root-anchors/root-anchors.xml: KSK-2017, valid from 2017-02-02, and KSK-2024, valid from
 * 2024-07-18.
 */
export const rootAnchors = `
. IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D
. IN DS 38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16
`

/**
 * Reads anchors as they stand in a zone file, one DS record of the root a line: `. IN DS 20326 8 2 E06D…`. RangeError
 * for anything else, and when there is none.
 */
export function parseTrustAnchors(text: string): DsRecord[] {
  const anchors = parseZone(text, ROOT).map(record => {
    if (record.type !== 'DS' || !record.data || record.name !== ROOT || record.class !== 'IN') {
      throw new RangeError('expected DS records of the root, such as ". IN DS 20326 8 2 E06D…"')
    }
    return { ...record, data: record.data }
  })
  if (anchors.length === 0) throw new RangeError('expected at least one DS record of the root')
  return anchors
}
