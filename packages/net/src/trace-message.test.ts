import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex } from '@assay/lib/bytes'
import { meaningOf } from './trace.ts'
import { parseQueuedError, parseTimestamp, socketAddress } from './trace-message.ts'

/** Control data as recvmsg(2) of Linux 6.1 on x86-64 gave it in the lab. */
const TIME = '20000000000000000100000023000000b1f0016b000000004c6e2d0b00000000'
const recorded = {
  timeExceeded: `${TIME}3000000000000000000000000b00000071000000020b00000000000000000000020000000bfe01020000000000000000`,
  portUnreachable: `${TIME}3000000000000000000000000b0000006f000000020303000000000000000000020000001a03000a0000000000000000`,
  networkUnreachable: `${TIME}3000000000000000000000000b00000065000000020300000000000000000000020000000bfe04020000000000000000`,
  hostUnreachable: `${TIME}3000000000000000000000000b00000071000000020301000000000000000000020000000b0a00020000000000000000`,
  timeExceeded6: `${TIME}3c000000000000002900000019000000710000000303000000000000000000000a000000000000002a0f01ab00ff000100000000000000020000000000000000`,
  portUnreachable6: `${TIME}3c0000000000000029000000190000006f0000000301040000000000000000000a000000000000002a0f01ab0003000000000000000000100000000000000000`,
  noRoute6: `${TIME}3c000000000000002900000019000000650000000301000000000000000000000a000000000000002a0f01ab00ff000600000000000000020000000000000000`,
} as const
const read = (name: keyof typeof recorded) => parseQueuedError(fromHex(recorded[name]))

test('ip(7) IP_RECVERR: time exceeded, from whom and when', () => {
  assert.deepEqual(read('timeExceeded'), {
    errno: 113,
    origin: 'icmp',
    type: 11,
    code: 0,
    offender: '11.254.1.2',
    receivedAt: 1_795_289_265_187_526_732n,
  })
})

test('ipv6(7) IPV6_RECVERR: time exceeded, the address with its zeros left out', () => {
  const { offender, origin, type, code } = read('timeExceeded6') ?? {}
  assert.deepEqual([origin, type, code, offender], ['icmp6', 3, 0, '2a0f:1ab:ff:1::2'])
})

test('RFC 792, RFC 4443 §3: what a message says about the way', () => {
  const meaning = (name: keyof typeof recorded) => {
    const error = read(name)
    assert.ok(error)
    return meaningOf(error)
  }
  assert.deepEqual(meaning('timeExceeded'), { address: '11.254.1.2', ends: false, reached: false })
  assert.deepEqual(meaning('timeExceeded6'), { address: '2a0f:1ab:ff:1::2', ends: false, reached: false })
  assert.deepEqual(meaning('portUnreachable'), { address: '26.3.0.10', ends: true, reached: true })
  assert.deepEqual(meaning('portUnreachable6'), { address: '2a0f:1ab:3::10', ends: true, reached: true })
  assert.deepEqual(meaning('networkUnreachable'), { address: '11.254.4.2', mark: '!N', ends: true, reached: false })
  assert.deepEqual(meaning('hostUnreachable'), { address: '11.10.0.2', mark: '!H', ends: true, reached: false })
  assert.deepEqual(meaning('noRoute6'), { address: '2a0f:1ab:ff:6::2', mark: '!N', ends: true, reached: false })
})

for (const [origin, type, code, mark] of [
  ['icmp', 3, 13, '!X'],
  ['icmp', 3, 9, '!X'],
  ['icmp', 3, 2, '!P'],
  ['icmp', 3, 4, '!F'],
  ['icmp', 3, 99, '!<99>'],
  ['icmp', 12, 0, '!<12-0>'],
  ['icmp6', 1, 1, '!X'],
  ['icmp6', 1, 3, '!H'],
  ['icmp6', 2, 0, '!<2-0>'],
] as const) {
  test(`traceroute(8): ${origin} type ${type} code ${code} is marked ${mark}`, () => {
    const { mark: found, ends, reached } = meaningOf({ errno: 0, origin, type, code, offender: '192.0.2.1' })
    assert.deepEqual([found, ends, reached], [mark, true, false])
  })
}

test('a message cut anywhere gives less or nothing, and never throws', () => {
  for (const hex of Object.values(recorded)) {
    const control = fromHex(hex)
    for (let length = 0; length < control.length; length++) {
      const error = parseQueuedError(control.subarray(0, length))
      assert.ok(error === undefined || length >= 32 + 16, String(length))
    }
  }
})

test('lengths that lie end the list: shorter than a header, longer than the data, larger than a number holds', () => {
  for (const length of ['0000000000000000', '0f00000000000000', 'ff00000000000000', 'ffffffffffffffff']) {
    assert.equal(parseQueuedError(fromHex(`${length}${recorded.timeExceeded.slice(16)}`)), undefined)
  }
})

test('a sender of an unknown family is no address', () => {
  const control = fromHex(recorded.timeExceeded.replace('020000000bfe0102', '630000000bfe0102'))
  assert.equal(parseQueuedError(control)?.offender, undefined)
  assert.equal(parseQueuedError(control)?.type, 11)
})

test('the time stands alone with an ordinary datagram', () => {
  assert.equal(parseTimestamp(fromHex(TIME)), 1_795_289_265_187_526_732n)
  assert.equal(parseQueuedError(fromHex(TIME)), undefined)
  assert.equal(parseTimestamp(new Uint8Array()), undefined)
})

test('struct sockaddr_in and sockaddr_in6: the family as the machine writes it, the port in network order', () => {
  assert.deepEqual(socketAddress(Uint8Array.of(192, 0, 2, 1), 33434), fromHex('0200829ac00002010000000000000000'))
  assert.deepEqual(
    socketAddress(fromHex('20010db8000000000000000000000001'), 443),
    fromHex('0a0001bb0000000020010db800000000000000000000000100000000'),
  )
})
