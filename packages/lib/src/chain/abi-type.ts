/**
 * Types and signatures of the Contract ABI Specification of Solidity (§"Types", §"Function Selector"), read from the
 * forms people have at hand: canonical, or as declared in a contract with names, data locations and modifiers.
 */

export type AbiType =
  | { kind: 'uint' | 'int'; bits: number }
  | { kind: 'fixed'; signed: boolean; bits: number; decimals: number }
  | { kind: 'bool' | 'address' | 'function' | 'bytes' | 'string' }
  | { kind: 'word'; bytes: number }
  | { kind: 'array'; element: AbiType; length?: number }
  | { kind: 'tuple'; components: readonly Parameter[] }

export interface Parameter {
  type: AbiType
  name?: string
  /** Of an event: the value is a topic. */
  indexed?: boolean
}

export interface Signature {
  /** What stands before the name: function, event, error, constructor; nothing where it was left out. */
  keyword?: string
  /** Missing where only a list of types was given. */
  name?: string
  inputs: readonly Parameter[]
  outputs?: readonly Parameter[]
  /** An event without its hash among the topics. */
  anonymous: boolean
}

export const MAX_SIGNATURE_CHARACTERS = 100_000
export const MAX_SIGNATURES = 1000
/** Tuples in tuples, and arrays of arrays. */
export const MAX_NESTING = 32

interface Token {
  text: string
  /** Of its first character, counted from 1. */
  position: number
}

const KEYWORDS = new Set(['function', 'event', 'error', 'constructor'])
const LOCATIONS = new Set(['memory', 'calldata', 'storage', 'payable'])
const NAME = /^[A-Za-z_$][\w$]*$/

function tokensOf(text: string): Token[] {
  if (text.length > MAX_SIGNATURE_CHARACTERS) {
    throw new RangeError(`expected at most ${MAX_SIGNATURE_CHARACTERS} characters, got ${text.length}`)
  }
  const tokens: Token[] = []
  for (const match of text.matchAll(/[\w$]+|[()[\],;]|(\S)/g)) {
    const position = match.index + 1
    if (match[1] !== undefined) throw new RangeError(`character ${position} has no place in a signature`)
    tokens.push({ text: match[0], position })
  }
  return tokens
}

/** Reads tokens from left to right; whatever does not fit is a RangeError with its position. */
class Tokens {
  private readonly tokens: readonly Token[]
  private next = 0

  constructor(text: string) {
    this.tokens = tokensOf(text)
  }

  get ended(): boolean {
    return this.next === this.tokens.length
  }
  peek(ahead = 0): string | undefined {
    return this.tokens[this.next + ahead]?.text
  }
  take(text: string): boolean {
    if (this.peek() !== text) return false
    this.next++
    return true
  }
  expect(text: string): void {
    if (!this.take(text)) this.fail(`expected ${text}`)
  }
  /** A name, where one stands. */
  name(): string | undefined {
    const text = this.peek()
    if (text === undefined || !NAME.test(text)) return undefined
    this.next++
    return text
  }
  word(): string | undefined {
    const text = this.peek()
    if (text === undefined || !/^\w/.test(text)) return undefined
    this.next++
    return text
  }
  back(): void {
    this.next--
  }
  fail(expected: string): never {
    const token = this.tokens[this.next]
    throw new RangeError(`${token ? `character ${token.position}` : 'at the end of the text'}: ${expected}`)
  }
}

/** One signature, or a bare list of types such as `(uint256,string)`. */
export function parseSignature(text: string): Signature {
  const tokens = new Tokens(text)
  const bare = tokens.peek() !== '(' && tokens.peek(1) !== '(' && !KEYWORDS.has(tokens.peek() ?? '')
  const signature = bare && !tokens.ended ? { inputs: parameters(tokens, 0), anonymous: false } : declaration(tokens)
  tokens.take(';')
  if (!tokens.ended) tokens.fail('expected the end of the signature')
  return signature
}

/** Signatures one after the other, on lines of their own or with semicolons between. */
export function parseSignatures(text: string): Signature[] {
  const tokens = new Tokens(text)
  const signatures: Signature[] = []
  do {
    if (signatures.length === MAX_SIGNATURES) tokens.fail(`expected at most ${MAX_SIGNATURES} signatures`)
    const signature = declaration(tokens)
    if (signature.name === undefined) tokens.fail('expected a name before the types')
    signatures.push(signature)
    while (tokens.take(';'));
  } while (!tokens.ended)
  return signatures
}

function declaration(tokens: Tokens): Signature {
  const first = tokens.peek()
  const keyword = first !== undefined && KEYWORDS.has(first) && first !== 'constructor' && tokens.peek(1) !== '('
  if (keyword) tokens.take(first)
  const name = tokens.name()
  if (tokens.peek() !== '(') tokens.fail('expected a signature such as transfer(address,uint256)')
  const inputs = list(tokens, 0)
  let outputs: Parameter[] | undefined
  let anonymous = false
  // Visibility, mutability and modifiers say nothing about the encoding. What a parenthesis follows is the next one.
  for (;;) {
    const word = tokens.peek()
    if (word === 'returns' && tokens.take('returns')) outputs = list(tokens, 0)
    else if (word !== undefined && NAME.test(word) && !KEYWORDS.has(word) && tokens.peek(1) !== '(') {
      anonymous ||= word === 'anonymous'
      tokens.take(word)
    } else break
  }
  return {
    ...(keyword && { keyword: first }),
    ...(name === 'constructor' && { keyword: name }),
    ...(name !== undefined && name !== 'constructor' && { name }),
    inputs,
    ...(outputs && { outputs }),
    anonymous,
  }
}

function list(tokens: Tokens, depth: number): Parameter[] {
  tokens.expect('(')
  if (depth > MAX_NESTING) tokens.fail(`expected at most ${MAX_NESTING} tuples in each other`)
  if (tokens.take(')')) return []
  const found = parameters(tokens, depth)
  tokens.expect(')')
  return found
}

function parameters(tokens: Tokens, depth: number): Parameter[] {
  const found: Parameter[] = []
  do {
    const type = typeOf(tokens, depth)
    let indexed = false
    let name: string | undefined
    for (let word = tokens.name(); word !== undefined; word = tokens.name()) {
      if (word === 'indexed') indexed = true
      else if (!LOCATIONS.has(word)) {
        if (name !== undefined) {
          tokens.back()
          tokens.fail('expected a comma')
        }
        name = word
      }
    }
    found.push({ type, ...(name !== undefined && { name }), ...(indexed && { indexed }) })
  } while (tokens.take(','))
  return found
}

function typeOf(tokens: Tokens, depth: number): AbiType {
  if (tokens.peek() === 'tuple' && tokens.peek(1) === '(') tokens.take('tuple')
  let type: AbiType =
    tokens.peek() === '(' ? { kind: 'tuple', components: list(tokens, depth + 1) } : elementaryType(tokens)
  for (let arrays = depth; tokens.take('['); arrays++) {
    if (arrays >= MAX_NESTING) tokens.fail(`expected at most ${MAX_NESTING} arrays in each other`)
    const digits = tokens.word()
    if (digits !== undefined && !/^(0|[1-9]\d{0,14})$/.test(digits)) {
      tokens.back()
      tokens.fail('expected a number of elements')
    }
    tokens.expect(']')
    type = { kind: 'array', element: type, ...(digits !== undefined && { length: Number(digits) }) }
  }
  return type
}

function elementaryType(tokens: Tokens): AbiType {
  const word = tokens.word() ?? tokens.fail('expected a type')
  const refuse = (expected: string): never => {
    tokens.back()
    return tokens.fail(expected)
  }
  const [, base = '', size, decimals] = /^([a-z]+)([1-9]\d*)?(?:x([1-9]\d*))?$/.exec(word) ?? []
  const bits = size === undefined ? 256 : Number(size)
  const isWidth = bits % 8 === 0 && bits <= 256
  if ((base === 'uint' || base === 'int') && decimals === undefined) {
    return isWidth ? { kind: base, bits } : refuse('expected a width of 8 to 256 bits in steps of 8')
  }
  if ((base === 'fixed' || base === 'ufixed') && (size === undefined) === (decimals === undefined)) {
    const [fixedBits, places] = size === undefined ? [128, 18] : [bits, Number(decimals)]
    return isWidth && places <= 80
      ? { kind: 'fixed', signed: base === 'fixed', bits: fixedBits, decimals: places }
      : refuse('expected 8 to 256 bits in steps of 8, and 1 to 80 decimals')
  }
  if (base === 'bytes' && size !== undefined && decimals === undefined) {
    return bits <= 32 ? { kind: 'word', bytes: bits } : refuse('expected bytes1 to bytes32, or bytes')
  }
  switch (word) {
    case 'bool':
    case 'address':
    case 'function':
    case 'bytes':
    case 'string':
      return { kind: word }
    case 'byte':
      return { kind: 'word', bytes: 1 }
  }
  return refuse(
    'expected a type of the ABI; a contract is an address there, an enum a uint8, and a struct its types in parentheses',
  )
}

/** A type as it stands in the text that is hashed. */
export function canonicalType(type: AbiType): string {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return `${type.kind}${type.bits}`
    case 'fixed':
      return `${type.signed ? '' : 'u'}fixed${type.bits}x${type.decimals}`
    case 'word':
      return `bytes${type.bytes}`
    case 'array':
      return `${canonicalType(type.element)}[${type.length ?? ''}]`
    case 'tuple':
      return canonicalTypes(type.components)
    default:
      return type.kind
  }
}

/** Types in parentheses, without spaces and names. */
export const canonicalTypes = (parameters: readonly Parameter[]): string =>
  `(${parameters.map(({ type }) => canonicalType(type)).join(',')})`

/** The text whose hash gives the selector and the topic. */
export const canonicalSignature = ({ name = '', inputs }: Signature): string => `${name}${canonicalTypes(inputs)}`
