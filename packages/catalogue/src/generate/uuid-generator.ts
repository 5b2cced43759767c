import { type Context, explain, field, mono, panel, sh, type Terminal, tool } from '@assay/kit'
import type { Bytes } from '@assay/lib/bytes'
import {
  gregorianTicks,
  MAX_UUID,
  NIL_UUID,
  namespaces,
  parseNamespace,
  randomNode,
  uuidsV7,
  uuidV1,
  uuidV3,
  uuidV4,
  uuidV5,
  uuidV6,
  uuidV8,
} from '@assay/lib/generate/uuid'

const versions = ['v1', 'v3', 'v4', 'v5', 'v6', 'v7', 'v8', 'nil', 'max'] as const
type Version = (typeof versions)[number]

const named: readonly Version[] = ['v3', 'v5', 'v8']
const counted: readonly Version[] = ['v1', 'v4', 'v6', 'v7']

const meanings: Record<Version, string> = {
  v1: 'Time, lowest part first, with a random node in place of a network address',
  v3: 'MD5 of the namespace and the name',
  v4: '122 random bits',
  v5: 'SHA-1 of the namespace and the name',
  v6: 'Time, highest part first, with a random node',
  v7: 'Milliseconds of Unix time, a counter and random bits; they sort in the order they were made',
  v8: 'SHA-256 of the namespace and the name',
  nil: 'All zeros, for no UUID',
  max: 'All ones, for an end that is never reached',
}

/** Universally unique identifiers. RFC 9562. */
export const uuidGenerator = tool({
  id: 'uuid-generator',
  path: 'uuid-generator',
  title: 'UUID Generator (v1 to v8)',
  category: 'generators-and-randomness',
  summary: 'Universally unique identifiers of every version in RFC 9562, one or many.',
  keywords: ['guid', 'uuid v4', 'uuid v7', 'unique id', 'identifier', 'ulid'],
  specs: ['RFC 9562'],
  runs: 'anywhere',
  fields: {
    version: field.choice('Version', versions, {
      default: 'v4',
      help: 'v4 for an identifier without meaning, v7 for one that sorts by time, v5 for one made from a name.',
    }),
    count: field.number('How many', {
      min: 1,
      max: 1000,
      default: 1,
      dependsOn: { field: 'version', values: counted },
    }),
    namespace: field.text('Namespace', {
      default: 'DNS',
      placeholder: 'DNS',
      maxLength: 100,
      help: 'DNS, URL, OID, X500 or a UUID of your own.',
      dependsOn: { field: 'version', values: named },
    }),
    name: field.text('Name', { placeholder: 'www.example.com', dependsOn: { field: 'version', values: named } }),
  },
  async run({ version, count, namespace, name }, context) {
    const space = named.includes(version)
      ? explain('namespace', 'Namespace', () => parseNamespace(namespace))
      : new Uint8Array()
    return { uuids: await make(version, count, space, name, context), version, meaning: meanings[version] }
  },
  show: ({ uuids, version, meaning }) => [
    panel.list(
      uuids.map(uuid => ({ text: mono(uuid) })),
      { scroll: uuids.length > 20 },
    ),
    panel.facts([
      ['Version', version],
      ['Made from', meaning],
    ]),
  ],
  terminal({ version, namespace, name }, { uuids }): Terminal | undefined {
    if (version === 'v4') return { command: 'uuidgen --random' }
    if (version === 'v1') return { command: 'uuidgen --time' }
    const known = Object.keys(namespaces).find(candidate => candidate === namespace.trim().toUpperCase())
    if ((version !== 'v3' && version !== 'v5') || !known) return undefined
    const code = `import sys, uuid; print(uuid.uuid${version.slice(1)}(uuid.NAMESPACE_${known}, sys.argv[1]))`
    return { command: sh`python3 -c ${code} ${name}`, prints: uuids.join('\n') }
  },
  examples: [
    {
      from: 'RFC 9562 Appendix A.4',
      title: 'From a host name, always the same',
      input: { version: 'v5', namespace: 'DNS', name: 'www.example.com' },
      result: { uuids: ['2ed6657d-e927-568b-95e1-2665a8aea6a2'] },
    },
    {
      from: 'RFC 9562 Appendix A.2',
      input: { version: 'v3', namespace: '6ba7b810-9dad-11d1-80b4-00c04fd430c8', name: 'www.example.com' },
      result: { uuids: ['5df41881-3aed-3515-88a7-2f4a814cf09e'] },
    },
    {
      from: 'RFC 9562 Appendix B.2',
      input: { version: 'v8', namespace: 'DNS', name: 'www.example.com' },
      result: { uuids: ['5c146b14-3c52-8afd-938a-375d0df1fbf6'] },
    },
    { from: 'RFC 9562 §5.9', input: { version: 'nil' }, result: { uuids: ['00000000-0000-0000-0000-000000000000'] } },
  ],
})

async function make(version: Version, count: number, space: Bytes, name: string, { now, random }: Context) {
  const milliseconds = now().getTime()
  const many = (one: (index: number) => string) => Array.from({ length: count }, (_, index) => one(index))
  switch (version) {
    case 'v1':
    case 'v6': {
      const node = randomNode(random)
      const write = version === 'v1' ? uuidV1 : uuidV6
      // Each takes the next 100 ns, so that none of a run has the same time.
      return many(index => write(gregorianTicks(milliseconds) + BigInt(index), node))
    }
    case 'v3':
      return [await uuidV3(space, name)]
    case 'v4':
      return many(() => uuidV4(random))
    case 'v5':
      return [await uuidV5(space, name)]
    case 'v7':
      return uuidsV7(milliseconds, count, random)
    case 'v8':
      return [await uuidV8(space, name)]
    case 'nil':
      return [NIL_UUID]
    case 'max':
      return [MAX_UUID]
  }
}
