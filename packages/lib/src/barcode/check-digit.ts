/** Check digits of GS1 numbers. GS1 General Specifications §7.9: weights 3 and 1 from the right, to a multiple of ten. */
export function checkDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 1 : 3), 0)
  return String((10 - (sum % 10)) % 10)
}

export interface Checked {
  digits: string
  /** The last digit was there and right, or was added. */
  check: 'verified' | 'added'
}

/**
 * A number of so many digits with its check digit, which may be left out. Spaces and hyphens, as in the number of a
 * book, are passed over.
 */
export function readChecked(text: string, length: number): Checked {
  const wrong = [...text].findIndex(character => !/[0-9 -]/.test(character))
  if (wrong >= 0) throw new RangeError(`character ${wrong + 1} is not a digit`)
  const digits = text.replace(/[ -]/g, '')
  if (digits.length === length - 1) return { digits: digits + checkDigit(digits), check: 'added' }
  if (digits.length !== length) {
    throw new RangeError(`expected ${length} digits, or ${length - 1} without the check digit, got ${digits.length}`)
  }
  const right = checkDigit(digits.slice(0, -1))
  if (!digits.endsWith(right)) throw new RangeError(`the check digit at the end does not fit, expected ${right}`)
  return { digits, check: 'verified' }
}
