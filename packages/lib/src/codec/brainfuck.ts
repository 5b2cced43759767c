import { inSlices } from '../attack/slices.ts'

/**
 * Brainfuck (U. Müller, 1993) and Ook! (D. Morgan-Mar), the same eight commands in other words. Cells are bytes that
 * wrap round; the tape begins at a cell that has nothing to its left and grows to the right. A program is compiled to
 * fewer and larger instructions first: repeated commands become one, loops that only add are multiplications, and
 * loops that only move are searches.
 */

export const dialects = ['Brainfuck', 'Ook!'] as const
export type Dialect = (typeof dialects)[number]

export const MAX_PROGRAM_CHARACTERS = 1_048_576
export const MAX_CELLS = 1_048_576
export const MAX_OUTPUT_BYTES = 1_048_576

/** The two words of Ook! behind each command. https://www.dangermouse.net/esoteric/ook.html */
const OOK: Readonly<Record<string, string>> = {
  '.?': '>',
  '?.': '<',
  '..': '+',
  '!!': '-',
  '!.': '.',
  '.!': ',',
  '!?': '[',
  '?!': ']',
}

interface Command {
  name: string
  /** Of the command in the text, counted from 1. */
  position: number
}

/** The commands in a text; all else is comment. RangeError for words of Ook! that are no command. */
function commandsOf(text: string, dialect: Dialect): Command[] {
  if (text.length > MAX_PROGRAM_CHARACTERS) {
    throw new RangeError(`expected at most ${MAX_PROGRAM_CHARACTERS} characters, got ${text.length}`)
  }
  if (dialect === 'Brainfuck') {
    return Array.from(text.matchAll(/[><+\-.,[\]]/g), ({ 0: name, index }) => ({ name, position: index + 1 }))
  }
  // Some leave the Ook out and write the signs only.
  const words = Array.from(text.matchAll(/ook/i.test(text) ? /ook\s*([.?!])/gi : /([.?!])/g), match => ({
    sign: match[1] ?? '',
    position: match.index + 1,
  }))
  return words.flatMap(({ sign, position }, i) => {
    if (i % 2 === 1) return []
    const name = OOK[sign + (words[i + 1]?.sign ?? '')]
    if (name !== undefined) return { name, position }
    throw new RangeError(
      words[i + 1]
        ? `the two words at character ${position} are no command of Ook!`
        : `the word at character ${position} has no second one`,
    )
  })
}

/** Commands in the words of a dialect. */
export const writeCommands = (commands: string, dialect: Dialect): string => {
  if (dialect === 'Brainfuck') return commands
  const words = new Map(Object.entries(OOK).map(([[first, second], name]) => [name, `Ook${first} Ook${second}`]))
  return Array.from(commands, command => words.get(command) ?? '').join(' ')
}

/** The last five bring the pointer to the cell they mean; the others leave it where it is. */
const [ADD, SET, MULTIPLY, WRITE, READ, OPEN, CLOSE, SCAN, REST] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const

interface Instruction {
  code: number
  /** The cell it means, counted from the pointer. */
  offset: number
  /** What to add, set or multiply by; for a search its step, for brackets where the other one is. */
  argument: number
  position: number
}

/** A program ready to run. */
export interface Program {
  instructions: readonly Instruction[]
  /** Commands in the text. */
  commands: number
}

/** Compiles a program. RangeError that tells where a bracket has no other. */
export function compile(text: string, dialect: Dialect): Program {
  const commands = commandsOf(text, dialect)
  const compiler = new Compiler()
  for (const command of commands) compiler.take(command)
  return { instructions: compiler.finish(), commands: commands.length }
}

class Compiler {
  private readonly instructions: Instruction[] = []
  private readonly open: number[] = []
  /** How far the pointer has moved since the last instruction that brings it somewhere. */
  private offset = 0
  /** The last instruction that is no sum. */
  private lastOther = -1
  /** Where the sums since then stand, by their cell. */
  private sums = new Map<number, Instruction>()

  take({ name, position }: Command): void {
    switch (name) {
      case '>':
        this.offset++
        break
      case '<':
        this.offset--
        break
      case '+':
        this.add(1, position)
        break
      case '-':
        this.add(-1, position)
        break
      case '.':
        this.push(WRITE, 0, position)
        break
      case ',':
        this.push(READ, 0, position)
        break
      case '[':
        this.open.push(this.instructions.length)
        this.bring(OPEN, 0, position)
        break
      case ']':
        this.close(position)
        break
    }
  }

  finish(): Instruction[] {
    const unclosed = this.instructions[this.open.at(-1) ?? -1]
    if (unclosed) throw new RangeError(`the opening bracket at character ${unclosed.position} is never closed`)
    this.bring(REST, 0, this.instructions.at(-1)?.position ?? 1)
    return this.instructions
  }

  private push(code: number, argument: number, position: number): void {
    this.sums.clear()
    this.lastOther = this.instructions.length
    this.instructions.push({ code, offset: this.offset, argument, position })
  }

  private add(argument: number, position: number): void {
    const sum = this.sums.get(this.offset)
    if (sum) {
      sum.argument += argument
      return
    }
    const instruction = { code: ADD, offset: this.offset, argument, position }
    this.instructions.push(instruction)
    this.sums.set(this.offset, instruction)
  }

  /** An instruction that leaves the pointer at its cell. */
  private bring(code: number, argument: number, position: number): void {
    this.push(code, argument, position)
    this.offset = 0
  }

  private close(position: number): void {
    const start = this.open.pop()
    const opening = start === undefined ? undefined : this.instructions[start]
    if (start === undefined || !opening) {
      throw new RangeError(`the closing bracket at character ${position} has no opening one`)
    }
    // Looked into only where nothing but sums is in it, so that brackets in brackets take no longer than others.
    const body = this.lastOther === start ? this.instructions.slice(start + 1) : undefined
    const own = body?.find(({ offset }) => offset === 0)
    if (body?.length === 0 && this.offset !== 0) this.search(start, opening)
    else if (body && own && this.offset === 0 && Math.abs(own.argument) === 1) {
      this.multiply(start, body, -own.argument)
    } else {
      opening.argument = this.instructions.length
      this.bring(CLOSE, start, position)
    }
  }

  /** A loop that only moves. */
  private search(start: number, { offset, position }: Instruction): void {
    const step = this.offset
    this.instructions.length = start
    this.offset = offset
    this.bring(SCAN, step, position)
  }

  /** A loop that counts its cell to zero and adds to others: they get a multiple of it at once. */
  private multiply(start: number, body: readonly Instruction[], sign: number): void {
    const opening = this.instructions[start]
    if (!opening) return
    const others = body.filter(({ offset, argument }) => offset !== 0 && argument !== 0)
    // Past the multiplications when the cell is zero: none of their cells need be on the tape then.
    this.instructions.length = start
    if (others.length === 0) this.offset = opening.offset
    else {
      opening.argument = start + 1 + others.length
      this.instructions.push(opening)
    }
    for (const { offset, argument } of others) {
      this.instructions.push({ code: MULTIPLY, offset, argument: sign * argument, position: opening.position })
    }
    this.push(SET, 0, opening.position)
  }
}

/** How a program came to its end, or what ended it. */
export type Ending = 'program' | 'steps' | 'output' | 'left' | 'right'

export interface RunOptions {
  input: Uint8Array
  /** What `,` brings when the input is used up: a byte, or undefined for what is in the cell. */
  endOfInput: number | undefined
  /** Instructions at most, after compiling. */
  maxSteps: number
  now(): number
}

export interface RunState {
  ending: Ending | undefined
  /** Of the command that could not be carried out, counted from 1. */
  position: number | undefined
  steps: number
  output: Uint8Array
  inputRead: number
  pointer: number
  /** Cells up to the last that was reached. */
  cells: Uint8Array
}

/** Instructions between two looks at the clock, some ten microseconds. */
const BURST = 2000

/** Runs a program, yielding between slices. What it yields is good until the next is asked for. */
export async function* runProgram(program: Program, options: RunOptions): AsyncGenerator<RunState, RunState, void> {
  const machine = new Machine(program, options)
  for await (const _ of inSlices(() => machine.burst(), options.now)) yield machine.state()
  return machine.state()
}

class Machine {
  private readonly code: Int32Array
  private readonly positions: Int32Array
  private readonly options: RunOptions
  private readonly tape = new Uint8Array(MAX_CELLS)
  private output = new Uint8Array(1024)
  private written = 0
  private inputRead = 0
  private next = 0
  private pointer = 0
  private reached = 0
  private steps = 0
  private ending: Ending | undefined
  private position: number | undefined

  constructor({ instructions }: Program, options: RunOptions) {
    this.code = Int32Array.from(instructions.flatMap(({ code, offset, argument }) => [code, offset, argument]))
    this.positions = Int32Array.from(instructions, ({ position }) => position)
    this.options = options
  }

  state(): RunState {
    return {
      ending: this.ending,
      position: this.position,
      steps: this.steps,
      output: this.output.subarray(0, this.written),
      inputRead: this.inputRead,
      pointer: this.pointer,
      cells: this.tape.subarray(0, this.reached + 1),
    }
  }

  /** Some instructions; false when there are no more to carry out. */
  burst(): boolean {
    const { code, tape } = this
    let { next, pointer, reached } = this
    const end = code.length / 3
    const budget = Math.min(BURST, this.options.maxSteps - this.steps)
    let left = budget
    while (left > 0 && next < end && this.ending === undefined) {
      left--
      const base = 3 * next
      const argument = code[base + 2] ?? 0
      const at = pointer + (code[base + 1] ?? 0)
      if (at < 0 || at >= MAX_CELLS) {
        this.stop(at < 0 ? 'left' : 'right', next)
        break
      }
      if (at > reached) reached = at
      next++
      switch (code[base]) {
        case ADD:
          tape[at] = (tape[at] ?? 0) + argument
          break
        case SET:
          tape[at] = argument
          break
        case MULTIPLY:
          tape[at] = (tape[at] ?? 0) + (tape[pointer] ?? 0) * argument
          break
        case SCAN:
          pointer = at
          while (tape[pointer]) pointer += argument
          left -= Math.abs(pointer - at) >> 3
          if (pointer > reached) reached = Math.min(pointer, MAX_CELLS - 1)
          break
        case OPEN:
          pointer = at
          if (tape[at] === 0) next = argument + (code[3 * argument] === CLOSE ? 1 : 0)
          break
        case CLOSE:
          pointer = at
          if (tape[at] !== 0) next = argument + 1
          break
        case REST:
          pointer = at
          break
        case WRITE:
          this.write(tape[at] ?? 0, next)
          break
        case READ:
          tape[at] = this.read(tape[at] ?? 0)
          break
      }
    }
    this.next = next
    this.pointer = pointer
    this.reached = reached
    this.steps += budget - left
    if (this.ending === undefined && next >= end) this.ending = 'program'
    if (this.ending === undefined && this.steps >= this.options.maxSteps) this.stop('steps', next)
    return this.ending === undefined
  }

  private stop(ending: Ending, instruction: number): void {
    this.ending = ending
    this.position = this.positions[instruction]
  }

  private write(byte: number, next: number): void {
    if (this.written === MAX_OUTPUT_BYTES) {
      this.stop('output', next - 1)
      return
    }
    if (this.written === this.output.length) {
      const longer = new Uint8Array(2 * this.output.length)
      longer.set(this.output)
      this.output = longer
    }
    this.output[this.written++] = byte
  }

  private read(current: number): number {
    const { input, endOfInput } = this.options
    const byte = input[this.inputRead]
    if (byte === undefined) return endOfInput ?? current
    this.inputRead++
    return byte
  }
}
