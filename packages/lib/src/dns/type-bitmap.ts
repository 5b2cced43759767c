/** The set of types at a name, as NSEC, NSEC3 and CSYNC carry it: windows of 256 types (RFC 4034 §4.1.2). */
import { typeCode, typeName } from './codes.ts'
import type { Part } from './record.ts'
import type { Reader } from './wire.ts'

export const typeBitmap: Part<string[]> = {
  read(reader) {
    const types: string[] = []
    let last = -1
    while (reader.remaining > 0) {
      const window = reader.u8()
      const length = reader.u8()
      if (window <= last) reader.fail('the windows of the type bitmap are out of order')
      if (length < 1 || length > 32) reader.fail(`a window of the type bitmap has ${length} bytes, not 1 to 32`)
      last = window
      readWindow(reader.slice(length), window, types)
    }
    return types
  },

  write(writer, types) {
    const codes = [...new Set(types.map(typeCode))].sort((a, b) => a - b)
    for (const [window, members] of Map.groupBy(codes, code => code >> 8)) {
      const bits = new Uint8Array(((members.at(-1) ?? 0) & 0xff) / 8 + 1)
      for (const code of members) bits[(code & 0xff) >> 3] = (bits[(code & 0xff) >> 3] ?? 0) | (0x80 >> (code & 7))
      writer.u8(window)
      writer.u8(bits.length)
      writer.bytes(bits)
    }
  },

  print: types => types.join(' '),

  parse: tokens =>
    [...new Set(tokens.rest().map(token => typeCode(token.text)))].sort((a, b) => a - b).map(code => typeName(code)),
}

function readWindow(reader: Reader, window: number, types: string[]): void {
  let bits = 0
  for (let octet = 0; reader.remaining > 0; octet++) {
    bits = reader.u8()
    for (let bit = 0; bit < 8; bit++) {
      if ((bits & (0x80 >> bit)) === 0) continue
      reader.spend(2)
      types.push(typeName((window << 8) | (octet << 3) | bit))
    }
  }
  // RFC 4034 §4.1.2: trailing zero octets must be left out, and written again they would be.
  if (bits === 0) reader.fail('a window of the type bitmap ends with a zero byte')
}
