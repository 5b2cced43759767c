/**
 * A signed zone proves that a name is missing by naming its neighbours. With NSEC (RFC 4034 §4) those are names in clear,
 * so asking from neighbour to neighbour lists the zone; with NSEC3 (RFC 5155) they are hashes, and servers that sign as
 * they answer (RFC 4470, RFC 9824) name neighbours that do not exist.
 */

import { Problem, type ServerContext } from '@assay/kit'
import type { Message, ResourceRecord } from '@assay/lib/dns/message'
import { compareNames, equalNames, isWithin, parentName, splitName } from '@assay/lib/dns/name'

export type WalkStatus = 'walkable' | 'hashed' | 'minimal' | 'unsigned' | 'unknown'

export interface WalkEnd {
  status: WalkStatus
  /** The walk came round to where it began. */
  complete: boolean
}

type Nsec = Extract<ResourceRecord, { type: 'NSEC' }>

/** Walks a zone at one of its servers and gives name after name, the apex left out, `most` of them. */
export async function* walkZone(
  dns: ServerContext['dns'],
  { server, zone, most }: { server: string; zone: string; most: number },
): AsyncGenerator<string, WalkEnd, void> {
  let name = zone
  for (let found = 0; found < most; found++) {
    const step = await nextName(dns, server, name)
    if (typeof step === 'object') {
      // Once some names were given away, the zone is walkable, however the walk ends.
      return found && step.status !== 'minimal' ? { status: 'walkable', complete: false } : { ...step, complete: false }
    }
    if (equalNames(step, zone)) return { status: 'walkable', complete: true }
    if (splitName(step)[0] === '\\000') return { status: 'minimal', complete: false }
    if (!isWithin(step, zone) || compareNames(step, name) <= 0) return { status: 'unknown', complete: false }
    yield step.toLowerCase()
    name = step
  }
  return { status: 'walkable', complete: false }
}

/** The name after this one, or why it is not told. */
async function nextName(
  dns: ServerContext['dns'],
  server: string,
  name: string,
): Promise<string | { status: WalkStatus }> {
  const direct = await ask(dns, server, name)
  const found = direct && nsecOf(direct, name)
  if (found) return found
  // A delegation answers for the zone below it; what follows it in order is still told by the zone above.
  const isCut = direct?.authorities.some(record => record.type === 'NS')
  const beside = isCut ? await ask(dns, server, behind(name)) : undefined
  const covering = beside && nsecOf(beside, name)
  if (covering) return covering
  const seen = [direct, beside].filter(message => message !== undefined)
  if (!seen.length) return { status: 'unknown' }
  const types = new Set(seen.flatMap(({ authorities }) => authorities.map(({ type }) => type)))
  return { status: types.has('NSEC3') ? 'hashed' : types.has('NSEC') ? 'minimal' : 'unsigned' }
}

function nsecOf({ answers, authorities }: Message, owner: string): string | undefined {
  const records = [...answers, ...authorities].filter((record): record is Nsec => record.type === 'NSEC')
  return records.find(record => equalNames(record.name, owner))?.data?.next
}

/** The first name in canonical order (RFC 4034 §6.1) behind everything below this one. */
function behind(name: string): string {
  const parent = parentName(name)
  return `${splitName(name)[0] ?? ''}\\000.${parent === '.' ? '' : parent}`
}

async function ask(dns: ServerContext['dns'], server: string, name: string): Promise<Message | undefined> {
  try {
    return await dns.ask(server, name, 'NSEC', { dnssec: true })
  } catch (error) {
    if (error instanceof Problem && error.code !== 'limited') return undefined
    throw error
  }
}
