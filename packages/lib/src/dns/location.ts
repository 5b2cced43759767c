/** LOC, where something stands on Earth (RFC 1876), with the text form that dig prints. */
import type { Part } from './record.ts'
import type { Tokens } from './tokens.ts'

export interface Location {
  /** Thousandths of an arc second, north and east positive. */
  latitude: number
  longitude: number
  /** Centimetres above the WGS 84 reference sphere. */
  altitude: number
  /** Diameters and precisions in centimetres. */
  size: number
  horizontalPrecision: number
  verticalPrecision: number
}

const EQUATOR = 2 ** 31
/** Altitudes count from 100 km below the reference sphere (RFC 1876 §2). */
const ALTITUDE_BASE = 10_000_000

export const location: Part<Location> = {
  read(reader) {
    const version = reader.u8()
    if (version !== 0) reader.fail(`version ${version} of LOC is not known`)
    const size = centimetres(reader.u8()) ?? reader.fail('the size is not a digit and a power of ten')
    const horizontalPrecision = centimetres(reader.u8()) ?? reader.fail('the precision is not a digit and a power')
    const verticalPrecision = centimetres(reader.u8()) ?? reader.fail('the precision is not a digit and a power')
    const latitude = reader.u32() - EQUATOR
    const longitude = reader.u32() - EQUATOR
    if (Math.abs(latitude) > arcMilliseconds(90)) reader.fail('the latitude is beyond a pole')
    if (Math.abs(longitude) > arcMilliseconds(180)) reader.fail('the longitude is beyond 180 degrees')
    const altitude = reader.u32() - ALTITUDE_BASE
    return { latitude, longitude, altitude, size, horizontalPrecision, verticalPrecision }
  },

  write(writer, value) {
    writer.u8(0)
    for (const length of [value.size, value.horizontalPrecision, value.verticalPrecision]) writer.u8(power(length))
    writer.u32(value.latitude + EQUATOR)
    writer.u32(value.longitude + EQUATOR)
    writer.u32(value.altitude + ALTITUDE_BASE)
  },

  print: value =>
    [
      printAngle(value.latitude, 'N', 'S'),
      printAngle(value.longitude, 'E', 'W'),
      `${printMetres(value.altitude)}m`,
      ...[value.size, value.horizontalPrecision, value.verticalPrecision].map(
        length => `${length < 100 ? printMetres(length) : length / 100}m`,
      ),
    ].join(' '),

  parse(tokens) {
    const latitude = parseAngle(tokens, 'N', 'S', 90)
    const longitude = parseAngle(tokens, 'E', 'W', 180)
    const altitude = parseMetres(tokens.word('an altitude'), -ALTITUDE_BASE, 0xffffffff - ALTITUDE_BASE)
    const optional = (fallback: number) =>
      tokens.done ? fallback : roundToPower(parseMetres(tokens.word('a size'), 0, 9e9))
    const size = optional(100)
    const horizontalPrecision = optional(1_000_000)
    const verticalPrecision = optional(1000)
    return { latitude, longitude, altitude, size, horizontalPrecision, verticalPrecision }
  },
}

const arcMilliseconds = (degrees: number) => degrees * 3_600_000

/** A decimal digit and a power of ten, four bits each, in centimetres (RFC 1876 §2). */
function centimetres(byte: number): number | undefined {
  const [digit, exponent] = [byte >> 4, byte & 15]
  return digit > 9 || exponent > 9 ? undefined : digit * 10 ** exponent
}

function power(length: number): number {
  const exponent = length === 0 ? 0 : Math.floor(Math.log10(length))
  return (Math.floor(length / 10 ** exponent) << 4) | exponent
}

const roundToPower = (length: number) => centimetres(power(length)) ?? 0

function printMetres(length: number): string {
  const absolute = Math.abs(length)
  return `${length < 0 ? '-' : ''}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}

function parseMetres(word: string, min: number, max: number): number {
  const match = /^(-?\d{1,8})(?:\.(\d{1,2}))?m?$/.exec(word)
  const fraction = Number((match?.[2] ?? '').padEnd(2, '0'))
  const length = Number(match?.[1]) * 100 + (word.startsWith('-') ? -fraction : fraction)
  if (!match || length < min || length > max) throw new RangeError(`"${word}" is not a length in metres`)
  return length
}

function printAngle(angle: number, positive: string, negative: string): string {
  const absolute = Math.abs(angle)
  const [degrees, minutes] = [Math.floor(absolute / 3_600_000), Math.floor(absolute / 60_000) % 60]
  const [whole, thousandths] = [Math.floor(absolute / 1000) % 60, absolute % 1000]
  return `${degrees} ${minutes} ${whole}.${String(thousandths).padStart(3, '0')} ${angle < 0 ? negative : positive}`
}

function parseAngle(tokens: Tokens, positive: string, negative: string, maxDegrees: number): number {
  const words: string[] = []
  let word = tokens.word('degrees')
  while (!/^[NSEW]$/i.test(word) && words.length < 3) {
    words.push(word)
    word = tokens.word('minutes, seconds or a direction')
  }
  const direction = word.toUpperCase()
  if (direction !== positive && direction !== negative) throw new RangeError(`${positive} or ${negative} expected`)
  const [degrees = '', minutes = '0', seconds = '0'] = words
  if (!/^\d{1,3}$/.test(degrees) || !/^\d{1,2}$/.test(minutes) || !/^\d{1,2}(\.\d{1,3})?$/.test(seconds)) {
    throw new RangeError(`"${words.join(' ')}" is not an angle in degrees, minutes and seconds`)
  }
  const angle = arcMilliseconds(Number(degrees)) + Number(minutes) * 60_000 + Math.round(Number(seconds) * 1000)
  if (Number(minutes) > 59 || Number(seconds) >= 60 || angle > arcMilliseconds(maxDegrees)) {
    throw new RangeError(`"${words.join(' ')}" is beyond ${maxDegrees} degrees, 59 minutes or 59.999 seconds`)
  }
  return direction === positive ? angle : -angle
}
