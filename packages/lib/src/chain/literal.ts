/**
 * Values as people type them: JSON (RFC 8259) where a number keeps all its digits, and what Solidity writes besides,
 * hexadecimal without quotes and lists in parentheses. A text without brackets around it is a list of values.
 */

export type Literal =
  /** In quotes. */
  | { kind: 'text'; text: string }
  /** Without them: a number, hexadecimal, true or false. */
  | { kind: 'word'; text: string }
  | { kind: 'list'; items: readonly Literal[] }
  | { kind: 'record'; entries: ReadonlyMap<string, Literal> }

export const MAX_LITERALS = 100_000
/** Lists in lists. */
const MAX_DEPTH = 64

const closing: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' }
/** What a string has between its escapes; one pattern for all of it would need a stack as deep as it is long. */
const PLAIN = /[^"\\]*/y
const WORD = /[A-Za-z0-9_+.-]+/y

/** The list of values in a text. RangeError with the place where it breaks. */
export function readLiterals(text: string): Literal {
  const reader = new LiteralReader(text)
  const items = reader.items(0, undefined)
  const [only] = items
  return items.length === 1 && (only?.kind === 'list' || only?.kind === 'record') ? only : { kind: 'list', items }
}

class LiteralReader {
  private readonly text: string
  private offset = 0
  private count = 0

  constructor(text: string) {
    this.text = text
  }

  /** Values with commas between, up to a bracket or the end of the text, which is taken. */
  items(depth: number, close: string | undefined): Literal[] {
    const items: Literal[] = []
    if (this.ends(close)) return items
    for (;;) {
      items.push(this.value(depth))
      if (this.ends(close)) return items
      this.expect(',')
    }
  }

  private value(depth: number): Literal {
    if (depth > MAX_DEPTH) this.fail(`expected at most ${MAX_DEPTH} lists in each other`)
    if (++this.count > MAX_LITERALS) this.fail(`expected at most ${MAX_LITERALS} values`)
    const start = this.peek()
    if (start === '"') return { kind: 'text', text: this.string() }
    if (start === '{') return this.record(depth)
    const close = start === undefined ? undefined : closing[start]
    if (close !== undefined) {
      this.offset++
      return { kind: 'list', items: this.items(depth + 1, close) }
    }
    const word = this.match(WORD)
    return word === undefined ? this.fail('expected a value') : { kind: 'word', text: word }
  }

  private record(depth: number): Literal {
    this.offset++
    const entries = new Map<string, Literal>()
    if (this.ends('}')) return { kind: 'record', entries }
    for (;;) {
      if (this.peek() !== '"') this.fail('expected a name in quotes')
      const name = this.string()
      if (entries.has(name)) this.fail('expected each name once')
      this.expect(':')
      entries.set(name, this.value(depth + 1))
      if (this.ends('}')) return { kind: 'record', entries }
      this.expect(',')
    }
  }

  private string(): string {
    const start = this.offset
    this.offset++
    for (this.match(PLAIN); this.text[this.offset] === '\\'; this.match(PLAIN)) this.offset += 2
    this.offset++
    try {
      const text: unknown = JSON.parse(this.text.slice(start, this.offset))
      return String(text)
    } catch (cause) {
      throw new RangeError(`character ${start + 1}: expected a text in quotes, with its escapes as in JSON`, { cause })
    }
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset
    const found = pattern.exec(this.text)?.[0]
    this.offset += found?.length ?? 0
    return found
  }

  private peek(): string | undefined {
    while (' \t\r\n'.includes(this.text[this.offset] ?? '-')) this.offset++
    return this.text[this.offset]
  }

  private ends(close: string | undefined): boolean {
    if (this.peek() !== close) return false
    this.offset++
    return true
  }

  private expect(character: string): void {
    if (this.peek() !== character) this.fail(`expected "${character}"`)
    this.offset++
  }

  private fail(expected: string): never {
    throw new RangeError(`character ${this.offset + 1}: ${expected}`)
  }
}
