import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import {
  createQuery,
  createRecord,
  decodeAnswer,
  decodeMessage,
  encodeMessage,
  MAX_ANSWER_RECORDS,
  type Message,
  presentation,
  recordFromBytes,
  recordLine,
  sameQuestion,
} from './message.ts'
import { WireError } from './wire.ts'

const owner = { name: 'example.com.', ttl: 300 }

function response(changes: Partial<Message> = {}): Message {
  return { ...createQuery({ id: 1, name: 'example.com.', type: 'MX', edns: 'none' }), qr: true, ...changes }
}

/** Counts of the four sections, then whatever follows the header. */
function packet(counts: [number, number, number, number], body: string): Uint8Array {
  return fromHex(`0001 8400 ${counts.map(count => count.toString(16).padStart(4, '0')).join(' ')} ${body}`)
}

test('RFC 1035 §4.1.1: every header field keeps its place', () => {
  const query = createQuery({ id: 0xabcd, name: 'example.com.', type: 'AAAA', rd: true, edns: 'none' })
  assert.equal(toHex(encodeMessage(query)), 'abcd01000001000000000000076578616d706c6503636f6d00001c0001')
  assert.deepEqual(decodeMessage(encodeMessage(query)), query)
  const bits = { qr: 0x8000, aa: 0x400, tc: 0x200, rd: 0x100, ra: 0x80, z: 0x40, ad: 0x20, cd: 0x10 } as const
  for (const [name, bit] of Object.entries(bits)) {
    const message = decodeMessage(encodeMessage(response({ qr: false, [name]: true })))
    assert.equal(message[name as keyof typeof bits], true)
    const flags = encodeMessage(message).subarray(2, 4)
    assert.equal(((flags[0] ?? 0) << 8) | (flags[1] ?? 0), bit)
  }
  const notify = decodeMessage(encodeMessage(response({ opcode: 'NOTIFY', rcode: 'NOTAUTH' })))
  assert.deepEqual([notify.opcode, notify.rcode], ['NOTIFY', 'NOTAUTH'])
  const odd = decodeMessage(encodeMessage(response({ opcode: 'OPCODE15', rcode: 'RCODE14' })))
  assert.deepEqual([odd.opcode, odd.rcode], ['OPCODE15', 'RCODE14'])
})

test('a response with all sections comes back as it was, and is compressed on the way', () => {
  const message = response({
    answers: [
      createRecord('MX', owner, { preference: 10, exchange: 'mail.example.com.' }),
      createRecord('SRV', owner, { priority: 1, weight: 2, port: 3, target: 'mail.example.com.' }),
    ],
    authorities: [createRecord('NS', owner, { nsdname: 'ns.example.com.' })],
    additionals: [createRecord('A', { name: 'mail.example.com.', ttl: 60 }, { address: '192.0.2.1' })],
    edns: { udpSize: 1232, version: 0, do: true, z: 0, options: [{ code: 3, data: fromHex('6e73') }] },
  })
  const bytes = encodeMessage(message)
  assert.deepEqual(decodeMessage(bytes), message)
  // The exchange is a label and a pointer; the target of SRV is spelt out (RFC 3597 §4).
  const hex = toHex(bytes)
  assert.equal(hex.split('046d61696c').length - 1, 2)
  assert.ok(hex.includes('046d61696cc00c'))
  assert.ok(hex.includes('046d61696c076578616d706c6503636f6d00'))
})

test('RFC 3597 §4: compressed names are expanded in the types it lists, so that rdata stands alone', () => {
  const body = '076578616d706c6503636f6d00 000f 0001'
  const message = decodeMessage(
    packet(
      [1, 3, 0, 0],
      `${body} c00c 000f 0001 00000001 0009 000a 046d61696c c00c
       c00c 0021 0001 00000001 0008 0000 0000 0035 c00c
       c00c 0006 0001 00000001 0018 c00c c02b 00000001 00000002 00000003 00000004 00000005`,
    ),
  )
  assert.equal(message.cut, undefined)
  assert.deepEqual(message.answers.map(recordLine), [
    'example.com. 1 IN MX 10 mail.example.com.',
    'example.com. 1 IN SRV 0 0 53 example.com.',
    'example.com. 1 IN SOA example.com. mail.example.com. 1 2 3 4 5',
  ])
  for (const record of message.answers) {
    assert.deepEqual(recordFromBytes(record.type, { name: record.name, ttl: 1 }, record.rdata), record)
  }
})

test('RFC 3597 §4: a compressed name in a newer type is malformed, and the rest of the message survives', () => {
  const message = decodeMessage(
    packet([0, 2, 0, 0], '016100 0027 0001 00000001 0002 c00c 016200 0001 0001 00000001 0004 c0000201'),
  )
  assert.deepEqual(message.answers.map(recordLine), ['a. 1 IN DNAME \\# 2 C00C', 'b. 1 IN A 192.0.2.1'])
})

for (const [what, rdata, shown] of [
  ['too short', '0003 c00002', '\\# 3 C00002'],
  ['too long', '0005 c000020100', '\\# 5 C000020100'],
  ['empty', '0000', '\\# 0'],
] as const) {
  test(`RFC 3597 §5: an A record that is ${what} stays bytes, and the record behind it stands`, () => {
    const message = decodeMessage(
      packet([0, 2, 0, 0], `00 0001 0001 00000001 ${rdata} 00 0010 0001 00000001 0002 0161`),
    )
    assert.deepEqual(message.answers.map(presentation), [shown, '"a"'])
    assert.equal(message.answers[0]?.data, undefined)
  })
}

test('RFC 3597 §4: formats of the class IN are not applied to other classes', () => {
  const message = decodeMessage(
    packet([0, 2, 0, 0], '00 0001 0003 00000001 0004 c0000201 00 0010 0003 00000001 0002 0161'),
  )
  assert.deepEqual(message.answers.map(recordLine), ['. 1 CH A \\# 4 C0000201', '. 1 CH TXT "a"'])
})

test('RFC 2181 §8: a TTL with its highest bit set is zero', () => {
  const ttl = (hex: string) => decodeMessage(packet([0, 1, 0, 0], `00 0010 0001 ${hex} 0002 0161`)).answers[0]?.ttl
  assert.equal(ttl('7fffffff'), 0x7fffffff)
  assert.equal(ttl('80000000'), 0)
  assert.equal(ttl('ffffffff'), 0)
})

test('a message that is cut short keeps what came before, and says where it broke', () => {
  const whole = packet(
    [1, 2, 0, 0],
    '0161 00 0001 0001 c00c 0001 0001 00000001 0004 c0000201 c00c 0001 0001 00000001 0004 c0000202',
  )
  assert.equal(decodeMessage(whole).cut, undefined)
  for (let length = 12; length < whole.length; length++) {
    const message = decodeMessage(whole.subarray(0, length))
    assert.match(message.cut ?? '', /at byte \d+$/)
    assert.equal(message.questions.length, length >= 19 ? 1 : 0)
    assert.equal(message.answers.length, length >= 35 ? 1 : 0)
  }
})

for (let length = 0; length < 12; length++) {
  test(`${length} bytes are no message`, () => assert.throws(() => decodeMessage(new Uint8Array(length)), WireError))
}

test('counts that lie are found out at the end of the bytes', () => {
  const message = decodeMessage(packet([65535, 65535, 65535, 65535], '0161 00 0001 0001'))
  assert.equal(message.questions.length, 1)
  assert.match(message.cut ?? '', /at byte 19/)
})

test('bytes behind the last record are told, not refused', () => {
  assert.equal(decodeMessage(packet([0, 0, 0, 0], 'deadbeef')).trailing, 4)
  assert.equal(decodeMessage(packet([0, 0, 0, 0], '')).trailing, undefined)
})

test('RFC 6891 §6.1.3: OPT carries size, version, DO and the upper bits of the response code', () => {
  const message = decodeMessage(packet([0, 0, 0, 1], '00 0029 04d0 01 00 8001 0004 0064 0000'))
  assert.deepEqual(message.edns, {
    udpSize: 1232,
    version: 0,
    do: true,
    z: 1,
    options: [{ code: 100, data: new Uint8Array() }],
  })
  assert.equal(message.rcode, 'BADVERS')
  assert.deepEqual(message.additionals, [])
  assert.deepEqual(decodeMessage(encodeMessage(message)), message)
  assert.throws(() => encodeMessage(response({ rcode: 'BADVERS' })), /needs EDNS/)
})

test('RFC 6891 §6.1.1: a second OPT, or one elsewhere, is left among the records', () => {
  const opt = '00 0029 04d0 00 00 0000 0000'
  assert.equal(decodeMessage(packet([0, 0, 0, 2], `${opt} ${opt}`)).additionals[0]?.type, 'OPT')
  const misplaced = decodeMessage(packet([0, 1, 0, 0], opt))
  assert.equal(misplaced.edns, undefined)
  assert.equal(misplaced.answers[0]?.type, 'OPT')
  assert.equal(decodeMessage(packet([0, 0, 0, 1], `0161${opt}`)).edns, undefined)
})

test('options that run past the end of OPT are dropped and told, those before stand', () => {
  const { edns } = decodeMessage(packet([0, 0, 0, 1], '00 0029 04d0 00 00 0000 0008 0003 0000 000a 0008'))
  assert.deepEqual(edns?.options, [{ code: 3, data: new Uint8Array() }])
  assert.match(edns?.malformed ?? '', /8 bytes expected, 0 left/)
})

test('data is looked into until 64 records were bad, and bytes after that', () => {
  const bad = '00 0001 0001 00000001 0000'.repeat(64)
  const good = '00 0001 0001 00000001 0004 c0000201'
  assert.equal(decodeMessage(packet([0, 64, 0, 0], `${bad.slice(26)}${good}`)).answers[63]?.type, 'A')
  assert.notEqual(
    decodeMessage(packet([0, 64, 0, 0], `${'00 0001 0001 00000001 0000'.repeat(63)}${good}`)).answers[63]?.data,
    undefined,
  )
  assert.equal(decodeMessage(packet([0, 65, 0, 0], `${bad}${good}`)).answers[64]?.data, undefined)
})

test('a 61 kB packet of chained pointers decodes, and no name is walked twice', () => {
  const bytes = [...packet([0, 1021, 0, 0], '016100 0001 0001 00000001 0004 c0000201')]
  let target = 12
  while (bytes.length < 16_384 - 16) {
    const here = bytes.length
    bytes.push(0xc0 | (target >> 8), target & 0xff, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 192, 0, 2, 1)
    target = here
  }
  while (bytes.length < 61_000)
    bytes.push(0xc0 | (target >> 8), target & 0xff, 0, 2, 0, 1, 0, 0, 0, 1, 0, 2, 0xc0 | (target >> 8), target & 0xff)
  bytes[6] = 0xff
  const { answers } = decodeMessage(new Uint8Array(bytes))
  assert.ok(answers.length > 4000)
  assert.ok(answers.every(record => record.name === 'a.'))
  assert.equal(presentation(answers.at(-1) ?? assert.fail()), 'a.')
})

test('names that would expand to a megabyte end the message instead', () => {
  const long = `${`3f${'61'.repeat(63)}`.repeat(3)}3d${'61'.repeat(61)}00`
  const head = `${long} 0010 0001 00000001 0002 0161`
  const records = 'c00c 000f 0001 00000001 0004 0001 c00c'.repeat(4000)
  const message = decodeMessage(packet([0, 4001, 0, 0], head + records))
  assert.match(message.cut ?? '', /more work than it deserves/)
  assert.ok(message.answers.length < 2000)
})

test('questions are the same whatever the case of the name, and nothing else', () => {
  const question = { name: 'Example.', type: 'A', class: 'IN' }
  assert.ok(sameQuestion(question, { ...question, name: 'eXAMPLE.' }))
  assert.ok(!sameQuestion(question, { ...question, type: 'AAAA' }))
  assert.ok(!sameQuestion(question, { ...question, class: 'CH' }))
  assert.ok(!sameQuestion(question, { ...question, name: 'example.test.' }))
})

test('the answer to a question has so many records and no more; a transfer has what it has', () => {
  const query = createQuery({ id: 1, name: 'example.test.', type: 'A' })
  const record = createRecord('A', { name: 'example.test.', ttl: 60 }, { address: '192.0.2.80' })
  const withRecords = (count: number) =>
    encodeMessage({ ...query, qr: true, answers: Array.from({ length: count }, () => record) })
  const fits = decodeAnswer(withRecords(MAX_ANSWER_RECORDS - 1))
  assert.deepEqual([fits.answers.length, fits.cut, fits.edns?.udpSize], [MAX_ANSWER_RECORDS - 1, undefined, 1232])
  const over = decodeAnswer(withRecords(4_000))
  assert.equal(over.answers.length, MAX_ANSWER_RECORDS)
  assert.match(over.cut ?? '', /^more than 500 records at byte \d+$/)
  assert.equal(decodeMessage(withRecords(4_000)).answers.length, 4_000)
})
