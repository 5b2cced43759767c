import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { fromUtf8, toLatin1, toUtf8 } from '../bytes.ts'
import { compile, type Dialect, type RunOptions, type RunState, runProgram, writeCommands } from './brainfuck.ts'
import { encodeBrainfuck } from './brainfuck-encode.ts'

async function run(
  text: string,
  { dialect = 'Brainfuck', ...options }: Partial<RunOptions> & { dialect?: Dialect } = {},
): Promise<RunState> {
  const limits = { input: new Uint8Array(), endOfInput: 0, maxSteps: 10_000_000, now: () => performance.now() }
  const running = runProgram(compile(text, dialect), { ...limits, ...options })
  for (;;) {
    const { done, value } = await running.next()
    if (done) return value
  }
}
const output = async (...args: Parameters<typeof run>) => toLatin1((await run(...args)).output)

const HELLO =
  '++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.'

test('esolangs.org, Brainfuck, §"Hello, World!": with comments around it', async () => {
  assert.equal(await output(HELLO), 'Hello World!\n')
  assert.equal(await output([...HELLO].join(' a comment\n')), 'Hello World!\n')
})

test('D. B. Cristofani, squares: all squares up to 10000', async () => {
  const squares =
    '++++[>+++++<-]>[<+++++>-]+<+[>[>+>+<<-]++>>[<<+>>-]>>>[-]++>[-]+>>>+[[-]++++++>>>]<<<[[<++++++++<++>>-]+<.<[>----<-]<]<<[>>>>>[>>>[-]+++++++++<[>-<-]+++++++++>[-[<->-]+[<<<]]<[>+<-]>]<<-]<<-]'
  assert.equal(await output(squares), `${Array.from({ length: 101 }, (_, i) => i * i).join('\n')}\n`)
})

test('cells are bytes and wrap round both ways', async () => {
  assert.equal(await output('-.'), '\xff')
  assert.equal(await output(`${'+'.repeat(257)}.`), '\x01')
  assert.equal(await output('-[>+<-]>.'), '\xff', 'a loop of 255 rounds')
  assert.equal(await output('+++[>-----<+]>.'), String.fromCharCode((-5 * 253) & 255), 'a loop that counts up')
})

test('input: byte by byte, and what comes after its end', async () => {
  const input = fromUtf8('é!')
  assert.equal(await output(',.,.,.', { input }), 'Ã©!')
  assert.equal(await output(',[.,]', { input }), 'Ã©!', 'the usual copy stops at the end')
  assert.equal(await output(',.', { endOfInput: 0 }), '\0')
  assert.equal(await output(',.', { endOfInput: 255 }), '\xff')
  assert.equal(await output('+++,.', { endOfInput: undefined }), '\x03')
  assert.equal((await run(',,,', { input })).inputRead, 3)
})

test('Ook!: the eight commands, in any case, without spaces, and as signs alone', async () => {
  const commands = '+[,.>+<-]<'.replace('<', '>')
  const hello = writeCommands(HELLO, 'Ook!')
  assert.equal(await output(hello, { dialect: 'Ook!' }), 'Hello World!\n')
  assert.equal(await output(hello.toLowerCase().replaceAll(' ', '\n'), { dialect: 'Ook!' }), 'Hello World!\n')
  assert.equal(await output(hello.replaceAll('Ook', ''), { dialect: 'Ook!' }), 'Hello World!\n')
  assert.equal(writeCommands('><+-.,[]', 'Ook!').replaceAll('Ook', ''), '. ? ? . . . ! ! ! . . ! ! ? ? !')
  assert.equal(writeCommands(commands, 'Brainfuck'), commands)
})

test('brackets without their other, and words of Ook! that are no command, are refused by their place', () => {
  for (const [text, dialect, message] of [
    ['+]', 'Brainfuck', /closing bracket at character 2 has no/],
    ['a[[+]', 'Brainfuck', /opening bracket at character 2 is never closed/],
    ['[', 'Brainfuck', /opening bracket at character 1/],
    ['[]]', 'Brainfuck', /closing bracket at character 3/],
    ['Ook? Ook?', 'Ook!', /two words at character 1 are no command/],
    ['Ook. Ook. Ook!', 'Ook!', /word at character 11 has no second one/],
    ['Ook! Ook?', 'Ook!', /opening bracket at character 1/],
    ['+'.repeat(1_048_577), 'Brainfuck', /at most 1048576 characters/],
  ] as const) {
    assert.throws(() => compile(text, dialect), { name: 'RangeError', message })
  }
})

test('what ends a program otherwise than by its end is told, with its place', async () => {
  const ended = async (text: string, options: Partial<RunOptions> = {}) => {
    const { ending, position } = await run(text, options)
    return [ending, position]
  }
  assert.deepEqual(await ended(''), ['program', undefined])
  assert.deepEqual(await ended('+[]', { maxSteps: 1000 }), ['steps', 3])
  assert.deepEqual(await ended('+[.]'), ['output', 3])
  assert.deepEqual(await ended('<+'), ['left', 2])
  assert.deepEqual(await ended('+[>+]'), ['right', 4])
  assert.deepEqual(await ended('+<[-]'), ['left', 3])
  assert.deepEqual(await ended('<>+'), ['program', undefined], 'where the pointer only passes, nothing is read')
  assert.equal((await run('+[>+<]', { maxSteps: 1000 })).steps, 1000)
})

test('after a program the cells and the pointer are as they were left', async () => {
  const { cells, pointer } = await run('+>++>+++>>>[-]<<<<')
  assert.deepEqual([...cells], [1, 2, 3, 0, 0, 0])
  assert.equal(pointer, 1)
})

test('200 random programs: output, cells and ending as a plain interpreter in Python has them', async () => {
  const programs = Array.from({ length: 200 }, () => randomProgram(randomInt(5, 60)))
  const script = `
import json, sys
def run(p):
    t, stack = {}, []
    for i, c in enumerate(p):
        if c == '[': stack.append(i)
        elif c == ']': j = stack.pop(); t[i] = j; t[j] = i
    tape, q, i, out, inp, n = [0] * 400, 200, 0, [], list(b'input'), 0
    while i < len(p) and n < 20000 and 0 <= q < 400:
        c = p[i]; n += 1
        if c == '>': q += 1
        elif c == '<': q -= 1
        elif c == '+': tape[q] = (tape[q] + 1) % 256
        elif c == '-': tape[q] = (tape[q] - 1) % 256
        elif c == '.': out.append(tape[q])
        elif c == ',': tape[q] = inp.pop(0) if inp else 0
        elif c == '[' and tape[q] == 0: i = t[i]
        elif c == ']' and tape[q] != 0: i = t[i]
        i += 1
    return {'ended': i >= len(p), 'output': out, 'cells': tape}
print(json.dumps([run(p) for p in json.load(sys.stdin)]))`
  const expected: { ended: boolean; output: number[]; cells: number[] }[] = JSON.parse(
    execFileSync('python3', ['-c', script], { input: JSON.stringify(programs), encoding: 'utf8' }),
  )
  let ended = 0
  for (const [i, program] of programs.entries()) {
    const other = expected[i]
    if (!other?.ended) continue
    ended++
    const found = await run('>'.repeat(200) + program, { input: fromUtf8('input') })
    assert.equal(found.ending, 'program', program)
    assert.deepEqual([...found.output], other.output, program)
    assert.deepEqual([...found.cells], other.cells.slice(0, found.cells.length), program)
    assert.ok(other.cells.slice(found.cells.length).every(cell => cell === 0))
  }
  assert.ok(ended > 80, `${ended} came to an end`)
})

function randomProgram(length: number): string {
  let program = ''
  let depth = 0
  for (let i = 0; i < length; i++) {
    const command = '++--><>[]].,+-'[randomInt(14)] ?? '+'
    if (command === ']' && depth-- <= 0) {
      depth = 0
      continue
    }
    if (command === '[') depth++
    program += command
  }
  return program + ']'.repeat(depth)
}

test('a hundred million commands in nested loops are a few hundred thousand steps', async () => {
  const { ending, steps, cells } = await run('-[>-[>-[>+++<-]<-]<-]')
  assert.equal(ending, 'program')
  assert.deepEqual([...cells], [0, 0, 0, 253])
  assert.ok(steps < 1_000_000, `${steps}`)
})

test('half a million brackets in each other compile at once', async () => {
  const started = performance.now()
  assert.equal((await run('['.repeat(500_000) + ']'.repeat(500_000))).ending, 'program')
  assert.ok(performance.now() - started < 10_000)
})

test('the run yields often enough to be stopped', async () => {
  const running = runProgram(compile('+[>+>-<<]', 'Brainfuck'), {
    input: new Uint8Array(),
    endOfInput: 0,
    maxSteps: 1e10,
    now: () => performance.now(),
  })
  const waits: number[] = []
  let before = performance.now()
  for (let i = 0; i < 30; i++) {
    await running.next()
    const now = performance.now()
    waits.push(now - before)
    before = now
  }
  await running.return(await run(''))
  waits.sort((a, b) => a - b)
  assert.ok(Number(waits[15]) < 100, `${waits[15]} ms`)
})

test('programs made for texts and bytes print them, and are short', async () => {
  for (const text of ['', 'A', 'Hello World!\n', 'The quick brown fox jumps over the lazy dog.', 'é漢😀\0']) {
    const bytes = fromUtf8(text)
    assert.equal(toUtf8((await run(encodeBrainfuck(bytes))).output), text)
  }
  assert.ok(encodeBrainfuck(fromUtf8('Hello World!\n')).length <= 130)
  for (let i = 0; i < 30; i++) {
    const bytes = randomBytes(randomInt(300))
    assert.deepEqual(Buffer.from((await run(encodeBrainfuck(bytes))).output), bytes)
  }
  assert.throws(() => encodeBrainfuck(new Uint8Array(65_537)), /at most 65536 bytes/)
})
