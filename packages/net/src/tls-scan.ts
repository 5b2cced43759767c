/**
 * Which versions, suites, groups and extensions a TLS server accepts. Each question is a ClientHello of our own on a
 * connection of its own, which ends as soon as the server has chosen: no keys, no OpenSSL, so also what OpenSSL has long
 * given up. What was chosen is taken off the list, and the rest is offered again until nothing is left.
 */

import type { TlsObservation, TlsScanner, TlsScanStep } from '@assay/kit'
import { extensionTypes, tlsVersions } from '@assay/lib/tls/registry'
import type { Door } from './egress.ts'
import type { Tls } from './tls.ts'
import { Prober } from './tls-prober.ts'
import {
  enumerate,
  featuresOf,
  flightsOf,
  groupsBefore,
  groupsIn13,
  highest,
  primeOf,
  probeSsl2,
} from './tls-questions.ts'
import { checkTrust } from './tls-trust.ts'

/** How long a server may take to answer one hello. */
const ANSWER_MS = 4_000

export interface TlsScanParts {
  door: Door
  tls: Tls
  random: (length: number) => Uint8Array<ArrayBuffer>
  /** How long a server may take to answer one hello. */
  answerMs?: number
}

export function createTlsScanner({ door, tls, random, answerMs = ANSWER_MS }: TlsScanParts): TlsScanner {
  return {
    async *scan(host, port): AsyncGenerator<TlsScanStep, TlsObservation, void> {
      const start = performance.now()
      const pin = await door.pin(host)
      const [address = ''] = pin.addresses
      const serverName = pin.host.kind === 'address' ? undefined : pin.host.ascii
      const probe = new Prober({ door, random, address, port, serverName, answerMs })
      yield { progress: 0.02, label: 'Connecting' }
      await probe.reach()

      const names = tlsVersions.map(({ name }) => name)
      yield { progress: 0.05, label: 'Asking for each version with all of its suites' }
      const work = Promise.all([probeSsl2(probe), ...names.map(name => enumerate(probe, name))])
      let finished = false
      work.then(
        () => {
          finished = true
        },
        () => {
          finished = true
        },
      )
      while (!finished) {
        await Promise.race([work.catch(() => {}), pause(STEP_MS)])
        if (!finished) {
          yield {
            progress: Math.min(0.75, 0.05 + probe.connections / 100),
            label: `${probe.connections} hellos answered`,
          }
        }
      }
      const versions = await work
      probe.check()

      yield { progress: 0.8, label: 'Groups, extensions and certificates' }
      const before13 = highest(versions, name => name !== 'TLSv1.3' && name !== 'SSLv2')
      const latest = versions.find(({ name, supported }) => name === 'TLSv1.3' && supported)
      const [groups13, groups12, primeBits, flights, features, checked] = await Promise.all([
        latest ? groupsIn13(probe, latest) : undefined,
        before13 ? groupsBefore(probe, before13) : [],
        before13 ? primeOf(probe, before13) : null,
        before13 ? flightsOf(probe, before13) : [],
        featuresOf(probe, versions, before13),
        checkTrust({ door, tls, address, port, name: pin.host.ascii, isAddress: serverName === undefined, answerMs }),
      ])
      probe.check()
      const [first] = flights
      const extensions = first?.hello.extensions
      const has = (type: number) => (extensions ? extensions.includes(type) : null)
      const chains = flights.flatMap(({ kind, certificates = [], status, hello: { timestamps } }) =>
        certificates.length ? [{ kind, certificates, status: status ?? null, ...(timestamps && { timestamps }) }] : [],
      )
      return {
        address,
        port,
        versions,
        groups: mergeGroups(groups12, groups13 ?? []),
        primeBits,
        features: {
          ...features,
          secureRenegotiation: has(extensionTypes.renegotiationInfo),
          extendedMainSecret: before13 && before13.name !== 'SSLv3' ? has(extensionTypes.extendedMainSecret) : null,
          sessionTickets: has(extensionTypes.sessionTicket),
          helloRetryRequest: groups13 ? groups13.length > 0 : null,
        },
        protocol: first?.hello.protocol ?? checked.protocol ?? null,
        chains: chains.length ? chains : checked.chain,
        trust: checked.trust,
        faults: [...probe.faults],
        connections: probe.connections,
        milliseconds: Math.round(performance.now() - start),
      }
    },
  }
}

/** How often the progress is told. */
const STEP_MS = 250
const pause = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))

function mergeGroups(before: readonly number[], since: readonly number[]): TlsObservation['groups'] {
  return [...new Set([...since, ...before])].map(code => ({
    code,
    versions: [
      ...(before.includes(code) ? (['TLSv1.2'] as const) : []),
      ...(since.includes(code) ? (['TLSv1.3'] as const) : []),
    ],
  }))
}
