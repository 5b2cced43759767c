/** What NSEC3 records prove not to exist (RFC 5155 §8): names are hashed, and there may be gaps in which nothing is denied. */
import { sha1 } from '@noble/hashes/legacy.js'
import { base32hexnopad } from '@scure/base'
import { concat } from '../bytes.ts'
import type { Flaw } from './dnssec-error.ts'
import { ede, said } from './dnssec-error.ts'
import type { RecordData, ResourceRecord } from './message.ts'
import { ancestorsOf, countLabels, encodeName, equalNames, isWithin, parentName, splitName } from './name.ts'
import { type Claim, type Denial, judgeTypes, wildcardOf } from './nsec.ts'

export type Nsec3Record = Extract<ResourceRecord, { type: 'NSEC3' }> & { data: RecordData<'NSEC3'> }

/** RFC 9276 §3.2 leaves the number to implementations; 150 is that of BIND 9.16 to 9.18, Unbound and Knot Resolver. */
export const MAX_ITERATIONS = 150
/** Names hashed in one run (CVE-2023-50868); each costs up to 151 times SHA-1. */
export const MAX_NSEC3_HASHES = 400

const SHA1 = 1
const OPT_OUT = 1

/** The hash of a name: SHA-1 of it and the salt, again and again (RFC 5155 §5). Base32hex in upper case, as it sorts. */
export function nsec3Hash(name: string, { salt, iterations }: { salt: Uint8Array; iterations: number }): string {
  let hash = sha1(concat(encodeName(name.toLowerCase()), salt))
  for (let i = 0; i < iterations; i++) hash = sha1(concat(hash, salt))
  return base32hexnopad.encode(hash)
}

interface Entry {
  owner: string
  next: string
  optOut: boolean
  types: readonly string[]
}

const unproven = (reason: string, code: number = ede.nsecMissing): Denial => ({
  state: 'unproven',
  flaw: { ede: code, reason },
})

/** Of the run: how many names were hashed. */
export interface HashWork {
  hashes: number
}

export type Nsec3Denial = Denial | { state: 'too-many-iterations'; flaw: Flaw }

/** NSEC3 records that were verified, all of the zone named. */
export function proveByNsec3(claim: Claim, records: readonly Nsec3Record[], zone: string, work: HashWork): Nsec3Denial {
  // RFC 5155 §8.1, §8.2: records with another hash or with unknown flags are ignored, and all have one set of parameters.
  const usable = records.filter(
    ({ name, data }) => data.hash === SHA1 && (data.flags & ~OPT_OUT) === 0 && equalNames(parentName(name), zone),
  )
  const [first] = usable
  if (!first) return unproven('None of the NSEC3 records uses SHA-1, the only hash there is for them.')
  const { iterations, salt } = first.data
  if (usable.some(({ data }) => data.iterations !== iterations || String(data.salt) !== String(salt))) {
    return unproven('The NSEC3 records differ in their parameters.')
  }
  if (iterations > MAX_ITERATIONS) {
    const reason = `${said(zone)} hashes names ${iterations} more times, and over ${MAX_ITERATIONS} its denials count as unsigned.`
    return { state: 'too-many-iterations', flaw: { ede: ede.unsupportedIterations, reason } }
  }
  const entries = usable.map(
    ({ name, data }): Entry => ({
      owner: (splitName(name)[0] ?? '').toUpperCase(),
      next: base32hexnopad.encode(data.next),
      optOut: (data.flags & OPT_OUT) !== 0,
      types: data.types,
    }),
  )
  try {
    return new Nsec3Proof(entries, zone, name => {
      if (work.hashes >= MAX_NSEC3_HASHES) throw new HashesSpent()
      work.hashes++
      return nsec3Hash(name, { salt, iterations })
    }).prove(claim)
  } catch (error) {
    if (!(error instanceof HashesSpent)) throw error
    return unproven('More names would have to be hashed than one run may.', ede.other)
  }
}

class HashesSpent extends Error {}

class Nsec3Proof {
  readonly #entries: readonly Entry[]
  readonly #zone: string
  readonly #hash: (name: string) => string

  constructor(entries: readonly Entry[], zone: string, hash: (name: string) => string) {
    this.#entries = entries
    this.#zone = zone
    this.#hash = hash
  }

  prove(claim: Claim): Denial {
    const { name } = claim
    if (claim.kind === 'wildcard') return this.#proveWildcard(claim)
    const match = this.#matching(name)
    if (match) {
      return claim.kind === 'nodata'
        ? judgeTypes(match.types, claim)
        : unproven(`An NSEC3 record says that ${said(name)} exists, against the answer.`)
    }
    const found = this.#closestEncloser(name)
    if (!found) return unproven(`No NSEC3 record shows the closest existing ancestor of ${said(name)}.`)
    if (found.types.includes('DNAME')) return unproven(`A DNAME at ${said(found.encloser)} answers for ${said(name)}.`)
    if (found.types.includes('NS') && !found.types.includes('SOA')) {
      // The name lies in another zone, which this one says is unsigned, or else should have been asked.
      return found.types.includes('DS')
        ? unproven(`The proof for ${said(name)} is of a zone above its own.`)
        : { state: 'opt-out' }
    }
    const gap = this.#covering(found.nextCloser)
    if (!gap) return unproven(`No NSEC3 record shows a gap at ${said(found.nextCloser)}.`)
    const wildcard = wildcardOf(found.encloser)
    if (claim.kind === 'nxdomain') {
      if (!this.#covering(wildcard)) return unproven(`No NSEC3 record shows that there is no ${said(wildcard)}.`)
      return gap.optOut ? { state: 'opt-out' } : { state: 'proven' }
    }
    const source = this.#matching(wildcard)
    if (source) {
      const denial = judgeTypes(source.types, claim)
      return denial.state === 'proven' && gap.optOut ? { state: 'opt-out' } : denial
    }
    // RFC 5155 §8.6: an unsigned delegation has no record of its own in such a gap.
    return gap.optOut ? { state: 'opt-out' } : unproven(`No NSEC3 record shows which types ${said(name)} has.`)
  }

  /** §8.8: the wildcard's own signature shows its encloser, so the name below that has to be missing. */
  #proveWildcard({ name, wildcard }: Extract<Claim, { kind: 'wildcard' }>): Denial {
    const depth = countLabels(wildcard)
    const nextCloser = ancestorsOf(name).find(ancestor => countLabels(ancestor) === depth) ?? name
    const gap = this.#covering(nextCloser)
    if (!gap) return unproven(`No NSEC3 record shows that ${said(nextCloser)} does not exist beside ${said(wildcard)}.`)
    return gap.optOut ? { state: 'opt-out' } : { state: 'proven' }
  }

  #matching(name: string): Entry | undefined {
    const hash = this.#hash(name)
    return this.#entries.find(({ owner }) => owner === hash)
  }

  #covering(name: string): Entry | undefined {
    const hash = this.#hash(name)
    return this.#entries.find(({ owner, next }) =>
      owner < next ? owner < hash && hash < next : hash > owner || hash < next,
    )
  }

  /** §8.3: the longest ancestor with a record of its own, and the name one label longer. */
  #closestEncloser(name: string): { encloser: string; nextCloser: string; types: readonly string[] } | undefined {
    let nextCloser = name
    for (const encloser of ancestorsOf(name).slice(1)) {
      if (!isWithin(encloser, this.#zone)) return undefined
      const match = this.#matching(encloser)
      if (match) return { encloser, nextCloser, types: match.types }
      nextCloser = encloser
    }
    return undefined
  }
}
