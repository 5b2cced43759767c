/** APL, a list of address prefixes (RFC 3123 §4, §5). */
import { parseIpv4, parseIpv6, printIpv4, printIpv6 } from './address.ts'
import type { Part } from './record.ts'
import type { Reader } from './wire.ts'

export interface AddressPrefix {
  /** 1 for IPv4, 2 for IPv6: IANA's address family numbers. */
  family: 1 | 2
  address: string
  prefixLength: number
  /** The exclamation mark: what this matches does not belong to the list. */
  negated: boolean
}

const FAMILIES = {
  1: { bytes: 4, print: printIpv4, parse: parseIpv4 },
  2: { bytes: 16, print: printIpv6, parse: parseIpv6 },
}

export const addressPrefixes: Part<AddressPrefix[]> = {
  read(reader) {
    const prefixes: AddressPrefix[] = []
    while (reader.remaining > 0) prefixes.push(readPrefix(reader))
    return prefixes
  },

  write(writer, prefixes) {
    for (const { family, address, prefixLength, negated } of prefixes) {
      const bytes = FAMILIES[family].parse(address)
      // §4: zeros at the end are not sent.
      const length = bytes.findLastIndex(byte => byte !== 0) + 1
      writer.u16(family)
      writer.u8(prefixLength)
      writer.u8((negated ? 0x80 : 0) | length)
      writer.bytes(bytes.subarray(0, length))
    }
  },

  print: prefixes =>
    prefixes
      .map(({ family, address, prefixLength, negated }) => `${negated ? '!' : ''}${family}:${address}/${prefixLength}`)
      .join(' '),

  parse: tokens => tokens.rest().map(token => parsePrefix(token.text)),
}

function readPrefix(reader: Reader): AddressPrefix {
  reader.spend(20)
  const family = reader.u16()
  if (family !== 1 && family !== 2) reader.fail(`address family ${family} has no form here`)
  const prefixLength = reader.u8()
  const negatedAndLength = reader.u8()
  const { bytes, print } = FAMILIES[family]
  const part = reader.bytes(negatedAndLength & 0x7f)
  if (prefixLength > bytes * 8) reader.fail(`a prefix of ${prefixLength} bits is longer than the address`)
  if (part.length > bytes || part.at(-1) === 0) reader.fail('the address is too long or ends with a zero')
  const whole = new Uint8Array(bytes)
  whole.set(part)
  return { family, address: print(whole), prefixLength, negated: negatedAndLength >= 0x80 }
}

function parsePrefix(word: string): AddressPrefix {
  const [, mark, number, text = '', bits = ''] = /^(!?)([12]):([^/]+)\/(\d{1,3})$/.exec(word) ?? []
  const family = number === '1' ? 1 : number === '2' ? 2 : undefined
  if (!family || Number(bits) > FAMILIES[family].bytes * 8) {
    throw new RangeError(`"${word}" is not an address prefix like 1:192.0.2.0/24`)
  }
  const { print, parse } = FAMILIES[family]
  return { family, address: print(parse(text)), prefixLength: Number(bits), negated: mark === '!' }
}
