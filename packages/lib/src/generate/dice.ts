/** Throws of dice in the notation of role-playing games: 3d6, d20, 2d6+3, 4d6kh3, d%. */

/** Dice in one throw, and faces of a die. */
const MAX_DICE = 1000
const MAX_FACES = 1_000_000
const MAX_CONSTANT = 1_000_000_000

interface DiceTerm {
  /** 1 or -1 */
  sign: number
  /** How many dice of how many faces; a constant has none. */
  dice: number
  faces: number
  constant: number
  /** Keep only so many, the highest or the lowest. */
  keep?: { which: 'highest' | 'lowest'; count: number }
}
export type Dice = readonly DiceTerm[]

const TERM = /^(?:(\d*)d(\d+|%)(?:k([hl]?)(\d+))?|(\d+))$/

/** Reads a notation; RangeError that names the part which is none. */
export function parseDice(notation: string): Dice {
  const text = notation.replace(/\s+/g, '').toLowerCase()
  if (!text) throw new RangeError('expected dice such as 3d6')
  const parts = /^[+-]/.test(text) ? text : `+${text}`
  const terms = Array.from(parts.matchAll(/([+-])([^+-]*)/g), ([, sign, body = ''], i) =>
    readTerm(sign === '-' ? -1 : 1, body, i + 1),
  )
  const dice = terms.reduce((sum, term) => sum + term.dice, 0)
  if (dice === 0) throw new RangeError('expected at least one die, such as d6')
  if (dice > MAX_DICE) throw new RangeError(`expected at most ${MAX_DICE} dice in a throw`)
  return terms
}

function readTerm(sign: number, body: string, place: number): DiceTerm {
  const [, count, sides, which, kept, constant] = TERM.exec(body) ?? []
  if (constant !== undefined) {
    return { sign, dice: 0, faces: 0, constant: bounded(Number(constant), 0, MAX_CONSTANT, place, 'a number') }
  }
  if (sides === undefined) {
    throw new RangeError(`part ${place} is neither dice such as 3d6, 4d6kh3 or d% nor a whole number`)
  }
  const faces = bounded(sides === '%' ? 100 : Number(sides), 1, MAX_FACES, place, 'faces')
  const dice = bounded(count ? Number(count) : 1, 1, MAX_DICE, place, 'dice')
  if (kept === undefined) return { sign, dice, faces, constant: 0 }
  const keep = bounded(Number(kept), 1, dice, place, 'dice to keep')
  return { sign, dice, faces, constant: 0, keep: { which: which === 'l' ? 'lowest' : 'highest', count: keep } }
}

function bounded(value: number, min: number, max: number, place: number, what: string): number {
  if (value >= min && value <= max) return value
  throw new RangeError(`part ${place}: expected from ${min} to ${max} ${what}`)
}

/** The least and the most that a throw can give. */
export function rangeOfDice(dice: Dice): [least: number, most: number] {
  const kept = (term: DiceTerm) => term.keep?.count ?? term.dice
  const ends = dice.map(term => [
    term.sign * (kept(term) + term.constant),
    term.sign * (kept(term) * term.faces + term.constant),
  ])
  return [
    ends.reduce((sum, [a = 0, b = 0]) => sum + Math.min(a, b), 0),
    ends.reduce((sum, [a = 0, b = 0]) => sum + Math.max(a, b), 0),
  ]
}

export interface Throw {
  total: number
  /** Every die, those not kept in parentheses: "6 5 (1)". */
  rolls: string
}

/** One throw; `pick` gives whole numbers below a bound. */
export function throwDice(dice: Dice, pick: (bound: number) => number): Throw {
  const thrown = dice.map(term => {
    const rolls = Array.from({ length: term.dice }, () => pick(term.faces) + 1)
    const kept = keptOf(rolls, term)
    const sum = rolls.reduce((total, roll, i) => total + (kept.has(i) ? roll : 0), term.constant)
    const shown = term.dice ? rolls.map((roll, i) => (kept.has(i) ? `${roll}` : `(${roll})`)).join(' ') : term.constant
    return { value: term.sign * sum, text: `${term.sign < 0 ? '−' : '+'} ${shown}` }
  })
  return {
    total: thrown.reduce((sum, { value }) => sum + value, 0),
    rolls: thrown
      .map(({ text }) => text)
      .join(' ')
      .replace(/^\+ /, ''),
  }
}

/** The places of the dice that count. */
function keptOf(rolls: readonly number[], { keep }: DiceTerm): Set<number> {
  const places = rolls.map((_, i) => i)
  if (!keep) return new Set(places)
  const rising = places.toSorted((a, b) => (rolls[a] ?? 0) - (rolls[b] ?? 0))
  return new Set(keep.which === 'lowest' ? rising.slice(0, keep.count) : rising.slice(-keep.count))
}
