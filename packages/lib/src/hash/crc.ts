/**
 * Cyclic redundancy checks by the parameters of R. Williams's Rocksoft model ("A painless guide to CRC error detection
 * algorithms", 1993, §15). The rows are those of G. Cook's CRC RevEng catalogue under its names.
 */
export interface CrcParameters {
  /** Bits of the register. */
  width: number
  /** The generator polynomial without its highest term, its next highest coefficient first. */
  poly: bigint
  /** The register before the first byte. */
  init: bigint
  /** Whether bytes go in, and the register comes out, lowest bit first. */
  refin: boolean
  refout: boolean
  /** Added to the register at the end. */
  xorout: bigint
  /** What the nine bytes "123456789" give. */
  check: bigint
}

export const crc32Rows = {
  'CRC-32/ISO-HDLC': row(32, 0x04c11db7n, 0xffffffffn, true, 0xffffffffn, 0xcbf43926n),
  'CRC-32/ISCSI': row(32, 0x1edc6f41n, 0xffffffffn, true, 0xffffffffn, 0xe3069283n),
  'CRC-32/BZIP2': row(32, 0x04c11db7n, 0xffffffffn, false, 0xffffffffn, 0xfc891918n),
  'CRC-32/MPEG-2': row(32, 0x04c11db7n, 0xffffffffn, false, 0n, 0x0376e6e7n),
  'CRC-32/CKSUM': row(32, 0x04c11db7n, 0n, false, 0xffffffffn, 0x765e7680n),
  'CRC-32/JAMCRC': row(32, 0x04c11db7n, 0xffffffffn, true, 0n, 0x340bc6d9n),
  'CRC-32/XFER': row(32, 0x000000afn, 0n, false, 0n, 0xbd0be338n),
} as const satisfies Record<string, CrcParameters>

export const crc16Rows = {
  'CRC-16/ARC': row(16, 0x8005n, 0n, true, 0n, 0xbb3dn),
  'CRC-16/IBM-3740': row(16, 0x1021n, 0xffffn, false, 0n, 0x29b1n),
  'CRC-16/XMODEM': row(16, 0x1021n, 0n, false, 0n, 0x31c3n),
  'CRC-16/MODBUS': row(16, 0x8005n, 0xffffn, true, 0n, 0x4b37n),
  'CRC-16/KERMIT': row(16, 0x1021n, 0n, true, 0n, 0x2189n),
  'CRC-16/USB': row(16, 0x8005n, 0xffffn, true, 0xffffn, 0xb4c8n),
  /** In the catalogue CRC-16/IBM-SDLC, with this as an alias. */
  'CRC-16/X-25': row(16, 0x1021n, 0xffffn, true, 0xffffn, 0x906en),
  'CRC-16/DNP': row(16, 0x3d65n, 0n, true, 0xffffn, 0xea82n),
  'CRC-16/CDMA2000': row(16, 0xc867n, 0xffffn, false, 0n, 0x4c06n),
  'CRC-16/CMS': row(16, 0x8005n, 0xffffn, false, 0n, 0xaee7n),
  'CRC-16/DDS-110': row(16, 0x8005n, 0x800dn, false, 0n, 0x9ecfn),
  'CRC-16/DECT-R': row(16, 0x0589n, 0n, false, 0x0001n, 0x007en),
  'CRC-16/DECT-X': row(16, 0x0589n, 0n, false, 0n, 0x007fn),
  'CRC-16/EN-13757': row(16, 0x3d65n, 0n, false, 0xffffn, 0xc2b7n),
  'CRC-16/GENIBUS': row(16, 0x1021n, 0xffffn, false, 0xffffn, 0xd64en),
  'CRC-16/GSM': row(16, 0x1021n, 0n, false, 0xffffn, 0xce3cn),
  'CRC-16/ISO-IEC-14443-3-A': row(16, 0x1021n, 0xc6c6n, true, 0n, 0xbf05n),
  'CRC-16/LJ1200': row(16, 0x6f63n, 0n, false, 0n, 0xbdf4n),
  'CRC-16/M17': row(16, 0x5935n, 0xffffn, false, 0n, 0x772bn),
  'CRC-16/MAXIM-DOW': row(16, 0x8005n, 0n, true, 0xffffn, 0x44c2n),
  'CRC-16/MCRF4XX': row(16, 0x1021n, 0xffffn, true, 0n, 0x6f91n),
  'CRC-16/NRSC-5': row(16, 0x080bn, 0xffffn, true, 0n, 0xa066n),
  'CRC-16/OPENSAFETY-A': row(16, 0x5935n, 0n, false, 0n, 0x5d38n),
  'CRC-16/OPENSAFETY-B': row(16, 0x755bn, 0n, false, 0n, 0x20fen),
  'CRC-16/PROFIBUS': row(16, 0x1dcfn, 0xffffn, false, 0xffffn, 0xa819n),
  'CRC-16/RIELLO': row(16, 0x1021n, 0xb2aan, true, 0n, 0x63d0n),
  'CRC-16/SPI-FUJITSU': row(16, 0x1021n, 0x1d0fn, false, 0n, 0xe5ccn),
  'CRC-16/T10-DIF': row(16, 0x8bb7n, 0n, false, 0n, 0xd0dbn),
  'CRC-16/TELEDISK': row(16, 0xa097n, 0n, false, 0n, 0x0fb3n),
  'CRC-16/TMS37157': row(16, 0x1021n, 0x89ecn, true, 0n, 0x26b1n),
  'CRC-16/UMTS': row(16, 0x8005n, 0n, false, 0n, 0xfee8n),
} as const satisfies Record<string, CrcParameters>

/** A row whose bytes and register go the same way, as in all but a few. */
function row(
  width: number,
  poly: bigint,
  init: bigint,
  reflected: boolean,
  xorout: bigint,
  check: bigint,
): CrcParameters {
  return { width, poly, init, refin: reflected, refout: reflected, xorout, check }
}

/** A CRC taken over any number of pieces. */
export interface Crc {
  update(bytes: Uint8Array): Crc
  /** The CRC of what was given so far; more may follow. */
  value(): bigint
}

/** A running CRC; one table look-up per byte. RangeError for parameters that do not fit the width. */
export function createCrc(parameters: CrcParameters): Crc {
  refuseMisfit(parameters)
  return parameters.width <= 32 ? narrowCrc(parameters) : wideCrc(parameters)
}

/** The CRC of a byte string. */
export const crc = (parameters: CrcParameters, message: Uint8Array): bigint =>
  createCrc(parameters).update(message).value()

/**
 * What the program `cksum` prints: CRC-32/CKSUM of the message and its length, the length in as few bytes as it takes,
 * lowest first. POSIX.1-2017, cksum.
 */
export function posixCksum(message: Uint8Array): number {
  const length: number[] = []
  for (let left = message.length; left > 0; left = Math.floor(left / 256)) length.push(left % 256)
  return Number(createCrc(crc32Rows['CRC-32/CKSUM']).update(message).update(Uint8Array.from(length)).value())
}

/** The widest register of the RevEng catalogue is that of CRC-82/DARC. */
const MAX_WIDTH = 82

function refuseMisfit({ width, poly, init, xorout }: CrcParameters): void {
  if (!Number.isInteger(width) || width < 1 || width > MAX_WIDTH) {
    throw new RangeError(`expected a width from 1 to ${MAX_WIDTH} bits`)
  }
  for (const [name, value] of Object.entries({ poly, init, xorout })) {
    if (value < 0n || value >> BigInt(width)) throw new RangeError(`expected ${name} to fit in ${width} bits`)
  }
}

/** The lowest `width` bits in reverse order. */
export function reflect(value: bigint, width: number): bigint {
  let reflected = 0n
  for (let i = 0; i < width; i++) reflected = (reflected << 1n) | ((value >> BigInt(i)) & 1n)
  return reflected
}

/**
 * Up to 32 bits in plain numbers. A reflected register sits at the low end of the word and moves right; an unreflected
 * one sits at the high end and moves left, so that a width under eight needs no case of its own.
 */
function narrowCrc({ width, poly, init, refin, refout, xorout }: CrcParameters): Crc {
  const lift = refin ? 0 : 32 - width
  const place = (value: bigint) => Number(refin ? reflect(value, width) : value << BigInt(lift))
  const table = narrowTable(place(poly), refin)
  let register = place(init) | 0
  const self: Crc = {
    update(bytes) {
      let current = register
      if (refin) for (const byte of bytes) current = (table[(current ^ byte) & 255] ?? 0) ^ (current >>> 8)
      else for (const byte of bytes) current = (table[(current >>> 24) ^ byte] ?? 0) ^ (current << 8)
      register = current
      return self
    },
    value() {
      const plain = BigInt(register >>> 0) >> BigInt(lift)
      return (refin === refout ? plain : reflect(plain, width)) ^ xorout
    },
  }
  return self
}

function narrowTable(poly: number, reflected: boolean): Int32Array {
  return Int32Array.from({ length: 256 }, (_, byte) => {
    let entry = reflected ? byte : byte << 24
    for (let bit = 0; bit < 8; bit++) {
      if (reflected) entry = entry & 1 ? (entry >>> 1) ^ poly : entry >>> 1
      else entry = entry < 0 ? (entry << 1) ^ poly : entry << 1
    }
    return entry
  })
}

/** More than 32 bits: the same in big integers. */
function wideCrc({ width, poly, init, refin, refout, xorout }: CrcParameters): Crc {
  const mask = (1n << BigInt(width)) - 1n
  const top = BigInt(width - 8)
  const place = (value: bigint) => (refin ? reflect(value, width) : value)
  const table = wideTable(place(poly), width, refin)
  const entry = (index: bigint) => table[Number(index & 255n)] ?? 0n
  let register = place(init)
  const self: Crc = {
    update(bytes) {
      for (const byte of bytes) {
        register = refin
          ? entry(register ^ BigInt(byte)) ^ (register >> 8n)
          : entry((register >> top) ^ BigInt(byte)) ^ ((register << 8n) & mask)
      }
      return self
    },
    value: () => (refin === refout ? register : reflect(register, width)) ^ xorout,
  }
  return self
}

function wideTable(poly: bigint, width: number, reflected: boolean): bigint[] {
  const mask = (1n << BigInt(width)) - 1n
  const high = 1n << BigInt(width - 1)
  return Array.from({ length: 256 }, (_, byte) => {
    let entry = reflected ? BigInt(byte) : BigInt(byte) << BigInt(width - 8)
    for (let bit = 0; bit < 8; bit++) {
      if (reflected) entry = entry & 1n ? (entry >> 1n) ^ poly : entry >> 1n
      else entry = entry & high ? ((entry << 1n) ^ poly) & mask : (entry << 1n) & mask
    }
    return entry
  })
}
