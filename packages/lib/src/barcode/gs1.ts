import { checkDigit } from './check-digit.ts'

/** Element strings of GS1 with their application identifiers in parentheses, such as (01)09521234543213(10)ABC. */

/** GS1 General Specifications §7.11: the characters of a value. */
const CHARACTER_SET_82 = /[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]/

/** GS1 General Specifications §5.4.1: data characters of one symbol. */
const MAX_DATA_CHARACTERS = 48

/** The form alone; what an application identifier asks of its value is judged by the encoder. */
export function readElements(text: string): string {
  const wrong = [...text].findIndex(character => !CHARACTER_SET_82.test(character))
  if (wrong >= 0) throw new RangeError(`character ${wrong + 1} is not one that GS1 allows`)
  if (!/^(?:\(\d{2,4}\)[^()]+)+$/.test(text)) {
    throw new RangeError(
      'expected application identifiers in parentheses before their values, such as (01)09521234543213',
    )
  }
  const length = text.replace(/[()]/g, '').length
  if (length > MAX_DATA_CHARACTERS) {
    throw new RangeError(`expected at most ${MAX_DATA_CHARACTERS} characters with the identifiers, got ${length}`)
  }
  return text
}

/** What the encoder found wrong, by the name of its error; "the value of (17)" stands before it. */
const reasons: Readonly<Record<string, string>> = {
  GS1valueTooShort: 'is too short',
  GS1valueTooLong: 'is too long',
  GS1notNumeric: 'has a character that is not a digit',
  GS1badChecksum: 'has a wrong check digit',
  GS1badCSET82character: 'has a character that GS1 does not allow',
  GS1badCSET39character: 'has a character that is neither a capital letter nor a digit nor one of # - /',
  GS1badMonth: 'has a month that is none',
  GS1badDay: 'has a day that is none',
  GS1badDateLength: 'is no date',
  GS1badHour: 'has an hour that is none',
  GS1badMinute: 'has a minute that is none',
  GS1badSecond: 'has a second that is none',
  GS1badTimeLength: 'is no time',
}

/** A refusal of the encoder in our own words. */
export function explainGs1(text: string, errorName: string, message: string): string {
  const [, identifier] = /\bAI (\d{2,4})\b/.exec(message) ?? []
  if (errorName === 'GS1unknownAI') return `(${identifier}) is no application identifier of GS1`
  if (errorName === 'GS1exclusiveAIs') return 'two application identifiers exclude each other'
  if (errorName === 'GS1missingAIs') return 'an application identifier needs another one beside it'
  if (errorName === 'GS1repeatedDifferingAIs') return 'an application identifier stands twice with different values'
  if (!identifier) return 'the element strings do not have the form that GS1 asks for'
  const reason = reasons[errorName] ?? 'does not have the form that GS1 asks for'
  const [, number] = new RegExp(`\\(${identifier}\\)(\\d+)(?:\\(|$)`).exec(text) ?? []
  const expected = errorName === 'GS1badChecksum' && number ? `, expected ${checkDigit(number.slice(0, -1))}` : ''
  return `the value of (${identifier}) ${reason}${expected}`
}
