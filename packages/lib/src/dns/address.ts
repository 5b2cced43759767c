/** IP addresses between their bytes and their text (RFC 1035 §3.4.1, RFC 5952), as strictly as a zone file wants them. */
import type { Bytes } from '../bytes.ts'

export function printIpv4(bytes: Uint8Array): string {
  return `${bytes[0]}.${bytes[1]}.${bytes[2]}.${bytes[3]}`
}

export function parseIpv4(text: string): Bytes {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every(part => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    throw new RangeError(`"${text}" is not an IPv4 address`)
  }
  return new Uint8Array(parts.map(Number))
}

/** RFC 5952 §4, with the last four bytes dotted where inet_ntop (and so dig) does it: ::ffff:0:0/96 and ::/96. */
export function printIpv6(bytes: Uint8Array): string {
  const group = (i: number) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)
  let [start, length] = [8, 1]
  for (let i = 0, run = 0; i < 8; i++) {
    run = group(i) === 0 ? run + 1 : 0
    if (run > length) [start, length] = [i - run + 1, run]
  }
  const mapped = start === 0 && length === 5 && group(5) === 0xffff
  const compatible = start === 0 && length === 6
  if (mapped || compatible) return `::${mapped ? 'ffff:' : ''}${printIpv4(bytes.subarray(12))}`
  let text = ''
  for (let i = 0; i < 8; i++) {
    if (i === start) text += i === 0 ? '::' : ':'
    if (i < start || i >= start + length) text += `${group(i).toString(16)}${i < 7 ? ':' : ''}`
  }
  return text
}

export function parseIpv6(text: string): Bytes {
  const refuse = () => new RangeError(`"${text}" is not an IPv6 address`)
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const [tail, head] = dotted ? [parseIpv4(dotted[2] ?? ''), dotted[1] ?? ''] : [new Uint8Array(), text]
  const plain = dotted && !head.endsWith('::') ? head.slice(0, -1) : head
  const halves = plain.split('::')
  const groups = halves.map(half => (half === '' ? [] : half.split(':')))
  const given = groups.flat()
  const missing = (16 - tail.length) / 2 - given.length
  const fits = halves.length === 1 ? missing === 0 : halves.length === 2 && missing >= 1
  if (!fits || !given.every(group => /^[0-9a-f]{1,4}$/i.test(group))) throw refuse()
  const [before = [], after = []] = groups
  const all = [...before, ...Array.from({ length: halves.length === 2 ? missing : 0 }, () => '0'), ...after]
  return new Uint8Array([
    ...all.flatMap(group => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]),
    ...tail,
  ])
}
