import { explain, field, mono, type Panel, panel, type Tone, tool, type Update } from '@assay/kit'
import { fromUtf8, textOrHex } from '@assay/lib/bytes'
import { dialects, type Ending, MAX_CELLS, MAX_OUTPUT_BYTES, type RunState } from '@assay/lib/codec/brainfuck'
import { count, outputPanel } from './output.ts'

const modes = ['encode', 'decode'] as const
const endsOfInput = ['0', '255', 'unchanged'] as const

const DEFAULT_STEPS = 100_000_000
/** Some minutes in a browser. */
const MAX_STEPS = 10_000_000_000
/** Milliseconds for a step on one core of 2.5 GHz that others use too. */
const MILLISECONDS_PER_STEP = 0.000_01
/** Cells around the pointer that are shown. */
const SHOWN_CELLS = 32

interface Execution {
  /** What the program printed: text where it is UTF-8, else hexadecimal. */
  output: string
  output_format: 'UTF-8' | 'Hex'
  output_bytes: number
  /** Whether the program came to its end, and if not, what stopped it and at which character. */
  ended: boolean
  stopped_by?: Exclude<Ending, 'program'>
  position?: number
  commands: number
  steps: number
  input_read: number
  /** Cells from the first to the last that was reached, and where the pointer is. */
  cells: number
  pointer: number
  memory: { cell: number; value: number }[]
}
interface WrittenProgram {
  /** The program. */
  output: string
  output_format: 'UTF-8'
  commands: number
  text_bytes: number
}
type Result = Execution | WrittenProgram

/** Programs of eight commands, run and written. */
export const brainfuck = tool({
  id: 'brainfuck',
  path: 'brainfuck',
  title: 'Brainfuck Encoder and Interpreter',
  category: 'cipher-tools-and-simulators',
  summary: 'Run programs in Brainfuck and Ook!, or write one that prints a text.',
  keywords: ['bf', 'ook', 'esoteric language', 'esolang', 'interpreter', 'ctf', 'turing tarpit'],
  specs: ['Brainfuck, U. Müller 1993', 'Ook!, D. Morgan-Mar'],
  runs: 'anywhere',
  fields: {
    text: field.area('Program or text', {
      placeholder: '++++++++[>++++++++<-]>+.',
      help: 'To decode, a program; to encode, the text that one should print.',
    }),
    mode: field.choice('What to do', modes, { default: 'decode' }),
    dialect: field.choice('Language', dialects),
    input_text: field.bytes('Input of the program', {
      line: true,
      optional: true,
      dependsOn: { field: 'mode', values: ['decode'] },
    }),
    end_of_input: field.choice('After the input', endsOfInput, {
      help: 'What the command , brings when nothing is left to read.',
      dependsOn: { field: 'mode', values: ['decode'] },
    }),
    max_steps: field.number('Steps at most', {
      min: 1,
      max: MAX_STEPS,
      default: DEFAULT_STEPS,
      help: 'Commands that repeat, and simple loops, are one step.',
      dependsOn: { field: 'mode', values: ['decode'] },
    }),
  },

  async *run(question, { now }): AsyncGenerator<Update<Result>, Result, void> {
    const { text, mode, dialect } = question
    const machine = await import('@assay/lib/codec/brainfuck')
    if (mode === 'encode') {
      const { encodeBrainfuck } = await import('@assay/lib/codec/brainfuck-encode')
      const bytes = fromUtf8(text)
      const commands = explain('text', 'Program or text', () => encodeBrainfuck(bytes))
      return {
        output: machine.writeCommands(commands, dialect),
        output_format: 'UTF-8',
        commands: commands.length,
        text_bytes: bytes.length,
      }
    }
    const program = explain('text', 'Program or text', () => machine.compile(text, dialect))
    const { input_text: input = new Uint8Array(), end_of_input, max_steps } = question
    const running = machine.runProgram(program, {
      input,
      endOfInput: end_of_input === 'unchanged' ? undefined : Number(end_of_input),
      maxSteps: max_steps,
      now: () => now().getTime(),
    })
    let shown = 0
    for (;;) {
      const { done, value } = await running.next()
      if (done) return executed(value, program.commands)
      const hasMore = value.output.length > 2 * shown
      yield {
        progress: value.steps / max_steps,
        label: `${count(value.steps)} steps, ${count(value.output.length)} bytes printed`,
        ...(hasMore && { partial: executed(value, program.commands) }),
      }
      if (hasMore) shown = value.output.length
    }
  },

  show: result => ('steps' in result ? executionPanels(result) : programPanels(result)),

  cost: ({ mode, max_steps }) => ({
    milliseconds: mode === 'encode' ? 20 : 20 + max_steps * MILLISECONDS_PER_STEP,
    megabytes: 32,
  }),

  examples: [
    {
      from: 'esolangs.org, Brainfuck',
      title: 'Hello World!',
      input: {
        text: '++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.',
      },
      result: { output: 'Hello World!\n', ended: true, commands: 106 },
    },
    {
      from: 'The definition of Ook!',
      title: 'Two bytes exchanged, in Ook!',
      input: {
        text: 'Ook. Ook! Ook. Ook? Ook. Ook! Ook! Ook. Ook? Ook. Ook! Ook.',
        dialect: 'Ook!',
        input_text: 'ab',
      },
      result: { output: 'ba', commands: 6 },
    },
    {
      from: 'The interpreter of this page, which prints the text again',
      title: 'A program that prints a text',
      input: { text: 'Hello, World!', mode: 'encode' },
      result: { text_bytes: 13 },
    },
  ],
})

function executed(
  { ending, position, steps, output, inputRead, pointer, cells }: RunState,
  commands: number,
): Execution {
  const { text, format } = textOrHex(output)
  const first = Math.max(0, Math.min(pointer, cells.length - 1) - SHOWN_CELLS / 2)
  const around = cells.subarray(first, first + SHOWN_CELLS)
  return {
    output: text,
    output_format: format,
    output_bytes: output.length,
    ended: ending === 'program',
    ...(ending !== undefined && ending !== 'program' && { stopped_by: ending }),
    ...(position !== undefined && { position }),
    commands,
    steps,
    input_read: inputRead,
    cells: cells.length,
    pointer,
    memory: Array.from(around, (value, i) => ({ cell: first + i, value })),
  }
}

const endings: Record<Exclude<Ending, 'program'>, [Tone, string]> = {
  steps: ['warn', 'The program used up its steps'],
  output: ['warn', `The program printed more than ${MAX_OUTPUT_BYTES / 2 ** 20} MiB`],
  left: ['bad', 'The program went to the left of the first cell'],
  right: ['bad', `The program went beyond the last of ${count(MAX_CELLS)} cells`],
}

function executionPanels(result: Execution): Panel[] {
  const { output, output_format, output_bytes, ended, stopped_by, position, commands, steps, cells, pointer } = result
  const [tone, title] = stopped_by ? endings[stopped_by] : (['good', 'The program came to its end'] as const)
  return [
    ...(ended || stopped_by
      ? [panel.banner(tone, title, position ? { detail: `At character ${position}.` } : {})]
      : []),
    outputPanel(output, output_format === 'Hex' ? 'Output, which is no text, in hexadecimal' : 'Output'),
    panel.facts([
      ['Printed', `${count(output_bytes)} bytes`],
      ['Commands', count(commands)],
      ['Steps', count(steps)],
      ['Cells', `${count(cells)}, the pointer at ${count(pointer)}`],
    ]),
    panel.table(
      ['Cell', 'Value', 'Character'],
      result.memory.map(({ cell, value }) => [
        cell === pointer ? { text: `${cell} pointer`, tone: 'info', badge: true } : cell,
        value,
        mono(value > 32 && value < 127 ? String.fromCharCode(value) : ''),
      ]),
      { title: 'Memory around the pointer', scroll: true },
    ),
  ]
}

const programPanels = ({ output, commands, text_bytes }: WrittenProgram): Panel[] => [
  outputPanel(output, 'Program'),
  panel.facts([
    ['Commands', count(commands)],
    ['Bytes it prints', count(text_bytes)],
  ]),
]
