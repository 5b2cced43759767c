import { action, field, type Input, type Panel, readInput, type ServerContext, type Tool, tool } from '@assay/kit'
import { byteFormats } from '@assay/lib/bytes'
import { textFormats } from '@assay/lib/codec/text-format'
import { decodeZ85, encodeZ85 } from '@assay/lib/codec/z85'
import { codec } from './codec.ts'

const strict = field.flag('Strict', { help: 'Refuse white space, which is passed over otherwise.' })

/** The two directions, each with a page and an address of its own. */
const directions = codec({
  id: 'z85',
  name: 'Z85',
  title: 'Z85 (ZeroMQ) Encode / Decode',
  summary: 'Write four bytes as five characters that need no escaping in source code.',
  keywords: ['base85', 'zeromq', 'zmq', 'curve key', 'radix 85'],
  specs: ['ZeroMQ RFC 32'],
  file: true,
  encode: {
    fields: {},
    write: encodeZ85,
    examples: [
      {
        from: 'ZeroMQ RFC 32',
        input: { input_text: '864fd26fb559f75b', input_format: 'Hex' },
        result: { encoded: 'HelloWorld' },
      },
      {
        from: 'ZeroMQ RFC 32, reference code',
        title: 'A key of CurveZMQ',
        input: {
          input_text: '8e0bdd697628b91d8f245587ee95c5b04d48963f79259877b49cd9063aead3b7',
          input_format: 'Hex',
        },
        result: { encoded: 'JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6' },
      },
    ],
  },
  decode: {
    fields: { strict },
    read: (text, { strict }) => decodeZ85(text, strict),
    examples: [
      {
        from: 'ZeroMQ RFC 32',
        input: { input_text: 'HelloWorld' },
        result: { decoded: '864fd26fb559f75b', output_format: 'Hex', output_bytes: 8 },
      },
    ],
  },
})

type Operation = 'encode' | 'decode'

function directionOf({ actions }: Tool, operation: Operation) {
  const found = actions.find(({ name }) => name === operation)
  if (!found) throw new TypeError(`no action ${operation}`)
  return found
}

/** Both directions on one page, chosen by a field. */
const both = action({
  title: directions.title,
  fields: {
    operation: field.choice('What to do', ['encode', 'decode']),
    input_text: field.area('Text', { placeholder: 'Text to encode or decode' }),
    input_format: field.choice('Input format', byteFormats, {
      dependsOn: { field: 'operation', values: ['encode'] },
    }),
    strict: { ...strict, dependsOn: { field: 'operation', values: ['decode'] } },
    output_format: field.choice('Output format', textFormats, {
      help: 'Automatic is text when the bytes are valid UTF-8, else hexadecimal.',
      dependsOn: { field: 'operation', values: ['decode'] },
    }),
  },
  async run({ operation, strict, ...raw }, context: ServerContext) {
    const direction = directionOf(directions, operation)
    const { input_text, input_format, output_format } = raw
    const own = operation === 'encode' ? { input_text, input_format } : { input_text, strict, output_format }
    const input = await readInput(direction.fields, own)
    return (await direction.run(input, context)) as Record<string, unknown>
  },
  show: (result, { operation, ...input }): Panel[] =>
    directionOf(directions, operation).show?.(result, input as Input) ?? [],
  cost: ({ input_text }) => ({
    milliseconds: 5 + input_text.length / 25_000,
    megabytes: 5 + input_text.length / 80_000,
  }),
  examples: [
    {
      from: 'ZeroMQ RFC 32',
      input: { operation: 'encode', input_text: '864fd26fb559f75b', input_format: 'Hex' },
      result: { encoded: 'HelloWorld' },
    },
    {
      from: 'ZeroMQ RFC 32',
      input: { operation: 'decode', input_text: 'HelloWorld' },
      result: { decoded: '864fd26fb559f75b', output_format: 'Hex' },
    },
  ],
})

/** Z85, the Base85 of ZeroMQ. ZeroMQ RFC 32. */
const { actions, ...head } = directions
const [combined] = tool({ ...head, actions: { '': both } }).actions
export const z85: Tool = { ...head, actions: combined ? [combined, ...actions] : actions }
