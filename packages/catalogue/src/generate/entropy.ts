import {
  type CellData,
  type FileInput,
  field,
  mono,
  type Panel,
  Problem,
  panel,
  printf,
  sh,
  type Terminal,
  type Tone,
  tool,
  type Update,
} from '@assay/kit'
import type { Bytes } from '@assay/lib/bytes'
import { type Column, createBlocks } from '@assay/lib/entropy/blocks'
import { deflatedShare } from '@assay/lib/entropy/deflated'
import { type Guess, guessKind, TESTABLE_BYTES } from '@assay/lib/entropy/guess'
import { PLOT_HEIGHT, PLOT_WIDTH, plotBlocks, plotCounts } from '@assay/lib/entropy/plot'
import { createStatistics, expectedEntropy } from '@assay/lib/entropy/statistics'
import { pause } from '@assay/lib/hash/pause'

const MEBIBYTE = 1_048_576
/** Bytes between two looks at whether someone wants to stop: some 20 ms. */
const SLICE_BYTES = MEBIBYTE
/** The beginning that is compressed on trial. */
const SAMPLE_BYTES = MEBIBYTE
/** On one core of 2.5 GHz, the trial included. */
const MILLISECONDS_PER_MEBIBYTE = 40
/** Of random bytes one in a thousand lies beyond these at either end. */
const [RARE, FREQUENT] = [0.001, 0.999]
const MAX_FREQUENT = 8
/** A text of this many bytes still fits into a command. */
const MAX_COMMAND_BYTES = 1000

interface Entropy {
  bytes: number
  distinct: number
  /** Bits per byte. */
  entropy: number
  min_entropy: number
  chi_square: number | null
  /** How often random bytes exceed it, from 0 to 1. */
  chance: number | null
  mean: number | null
  monte_carlo_pi: number | null
  serial_correlation: number | null
  /** Per cent that an optimal code for single bytes would save. */
  optimal_saving_percent: number
  /** Per cent that DEFLATE leaves of the first MiB. */
  deflated_percent: number
  guess: Guess
  blocks: Column[]
  counts: number[]
}

/** The entropy of bytes and the tests of ent, as a whole and block by block. */
export const entropy = tool({
  id: 'entropy',
  path: 'entropy',
  title: 'Entropy Calculator for Text and Files',
  category: 'generators-and-randomness',
  summary: 'How evenly the bytes of a text or a file are spread, and what that says of where they come from.',
  keywords: [
    'shannon entropy',
    'ent',
    'randomness test',
    'chi square',
    'packed',
    'encrypted file',
    'binwalk',
    'monte carlo',
  ],
  specs: ['Shannon 1948', 'NIST SP 800-90B'],
  runs: 'anywhere',
  fields: {
    input_text: field.bytes('Text', { optional: true, placeholder: 'Hello, World!' }),
    file: field.file('File', { optional: true }),
    block_size: field.number('Block', {
      min: 16,
      max: MEBIBYTE,
      default: 256,
      unit: 'bytes',
      help: 'The entropy along the input is drawn for blocks of this size.',
    }),
  },

  async *run({ input_text, file, block_size }): AsyncGenerator<Update<Entropy>, Entropy, void> {
    const [statistics, blocks] = [createStatistics(), createBlocks(block_size)]
    const sample = new Uint8Array(SAMPLE_BYTES)
    let done = 0
    for await (const piece of sourceOf(input_text, file).stream()) {
      for (let start = 0; start < piece.length; start += SLICE_BYTES) {
        const slice = piece.subarray(start, start + SLICE_BYTES)
        if (done < SAMPLE_BYTES) sample.set(slice.subarray(0, SAMPLE_BYTES - done), done)
        statistics.update(slice)
        blocks.update(slice)
        done += slice.length
        yield progress(done, file?.size)
        await pause()
      }
    }
    const result = statistics.result()
    const share = await deflatedShare(sample.subarray(0, done))
    return {
      bytes: result.bytes,
      distinct: result.distinct,
      entropy: result.entropy,
      min_entropy: result.minEntropy,
      chi_square: result.chiSquare,
      chance: result.chance,
      mean: result.mean,
      monte_carlo_pi: result.pi,
      serial_correlation: result.serialCorrelation,
      optimal_saving_percent: Math.floor((100 * (8 - result.entropy)) / 8),
      deflated_percent: Math.min(100, Math.round(100 * share)),
      guess: guessKind(result, share),
      blocks: blocks.result(),
      counts: [...result.counts],
    }
  },

  show: (result, { block_size }) => [
    panel.banner(tones[result.guess.kind], titles[result.guess.kind], { detail: result.guess.because }),
    panel.tiles(
      { label: 'Entropy', value: bits(result.entropy), detail: 'bits per byte, of at most 8' },
      { label: 'Min-entropy', value: bits(result.min_entropy), detail: 'bits per byte, by the most frequent one' },
      { label: 'Different bytes', value: result.distinct, detail: 'of 256' },
      { label: 'Length', value: result.bytes.toLocaleString('en'), detail: result.bytes === 1 ? 'byte' : 'bytes' },
    ),
    ...blocksPanels(result.blocks, Math.min(block_size, result.bytes)),
    testsPanel(result),
    ...countsPanels(result.counts, result.bytes),
  ],

  terminal({ input_text, file }, result): Terminal | undefined {
    if (file) return { command: sh`ent ${file.name}` }
    if (!input_text || input_text.length > MAX_COMMAND_BYTES) return undefined
    const { entropy, chi_square, mean, monte_carlo_pi, serial_correlation } = result
    const values = [entropy, chi_square, mean, monte_carlo_pi, serial_correlation]
    const exact = values.every(value => value !== null)
    return {
      command: `${printf(input_text)} | ent -t`,
      ...(exact && { prints: `1,${result.bytes},${values.map(value => value?.toFixed(6)).join(',')}` }),
    }
  },

  cost({ input_text, file }) {
    const bytes = input_text?.length ?? file?.size ?? 0
    return { milliseconds: 5 + (bytes / MEBIBYTE) * MILLISECONDS_PER_MEBIBYTE, megabytes: 64 }
  },

  examples: [
    {
      from: 'Shannon 1948 §6: four symbols of ½, ¼, ⅛ and ⅛',
      input: { input_text: 'aaaabbcd' },
      result: { bytes: 8, entropy: 1.75, min_entropy: 1, distinct: 4 },
    },
    {
      from: 'log₂ 256: every byte once',
      title: 'The most there can be, and yet not random',
      input: {
        input_text: Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0')).join(''),
        input_format: 'Hex',
      },
      result: { entropy: 8, min_entropy: 8, chi_square: 0, mean: 127.5 },
    },
    {
      from: 'the output of ent 1.2',
      title: 'A short text',
      input: { input_text: 'hello world' },
      result: { bytes: 11, distinct: 8, optimal_saving_percent: 64, monte_carlo_pi: 4 },
    },
  ],
})

function sourceOf(text: Bytes | undefined, file: FileInput | undefined): Pick<FileInput, 'stream'> {
  if (text && file) throw new Problem('invalid-input', 'File: expected a text or a file, not both.', { field: 'file' })
  if (file) return file
  if (!text) throw new Problem('invalid-input', 'Text: expected a text, or a file below.', { field: 'input_text' })
  return {
    stream: async function* () {
      yield text
    },
  }
}

function progress(done: number, size: number | undefined): Update<Entropy> {
  const label = `${Math.round(done / MEBIBYTE).toLocaleString('en')} MiB`
  return { label, ...(size && { progress: Math.min(1, done / size) }) }
}

const titles: Record<Guess['kind'], string> = {
  empty: 'Nothing to measure',
  short: 'Too short to tell',
  uniform: 'All bytes are equal',
  digits: 'Looks like encoded bytes',
  text: 'Looks like text',
  random: 'Looks random',
  compressed: 'Looks compressed',
  patterned: 'Even, but not random',
  structured: 'Looks like structured data',
}
const tones: Record<Guess['kind'], Tone> = {
  empty: 'neutral',
  short: 'neutral',
  uniform: 'info',
  digits: 'info',
  text: 'info',
  random: 'info',
  compressed: 'info',
  patterned: 'warn',
  structured: 'info',
}

const bits = (value: number) => value.toFixed(4)
const exactly = (value: number | null, digits: number, otherwise: string) => value?.toFixed(digits) ?? otherwise

function testsPanel(result: Entropy): Panel {
  const { bytes, chi_square, chance, mean, monte_carlo_pi, serial_correlation } = result
  const few = bytes < TESTABLE_BYTES ? ` (unsure below ${TESTABLE_BYTES.toLocaleString('en')} bytes)` : ''
  return panel.table(
    ['Test', 'Value', 'Random bytes'],
    [
      ['Chi-squared', mono(exactly(chi_square, 2, 'none')), '255, give or take 23'],
      ['Exceeded by chance', chanceCell(chance), `between 1 % and 99 %, mostly${few}`],
      ['Mean', mono(exactly(mean, 4, 'none')), '127.5'],
      ['Monte Carlo value of π', mono(exactly(monte_carlo_pi, 6, 'too few bytes')), '3.141593'],
      ['Serial correlation', mono(exactly(serial_correlation, 6, 'all bytes are equal')), '0'],
      ['Optimal code for single bytes saves', mono(`${result.optimal_saving_percent} %`), '0 %'],
      ['DEFLATE leaves of the first MiB', mono(`${result.deflated_percent} %`), '100 %'],
    ],
    { title: 'Tests', cards: true },
  )
}

function chanceCell(chance: number | null): CellData {
  if (chance === null) return mono('none')
  if (chance < 0.0001) return mono('less than 0.01 %', 'warn')
  if (chance > 0.9999) return mono('more than 99.99 %', 'warn')
  return mono(`${(100 * chance).toFixed(2)} %`, chance < RARE || chance > FREQUENT ? 'warn' : 'neutral')
}

function blocksPanels(blocks: readonly Column[], size: number): Panel[] {
  if (blocks.length < 2) return []
  const [least, most] = [Math.min(...blocks.map(block => block.least)), Math.max(...blocks.map(block => block.most))]
  const expected = expectedEntropy(size)
  return [
    panel.image({
      source: plotBlocks(blocks, expected),
      alt: `Entropy along the input, from ${bits(least)} to ${bits(most)} bits per byte`,
      name: 'entropy.svg',
      width: PLOT_WIDTH,
      height: PLOT_HEIGHT,
    }),
    panel.note(
      'neutral',
      `Blocks of ${size.toLocaleString('en')} bytes have from ${bits(least)} to ${bits(most)} bits per byte. The dashed line is what random bytes come to in blocks so short: ${bits(expected)}.`,
    ),
  ]
}

function countsPanels(counts: readonly number[], bytes: number): Panel[] {
  if (bytes === 0) return []
  const frequent = counts
    .map((count, byte) => ({ count, byte }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MAX_FREQUENT)
  return [
    panel.image({
      source: plotCounts(counts),
      alt: `How often each of the 256 bytes occurs, at most ${frequent[0]?.count ?? 0} times`,
      name: 'bytes.svg',
      width: PLOT_WIDTH,
      height: PLOT_HEIGHT,
    }),
    panel.table(
      ['Byte', 'Character', 'Times', 'Share'],
      frequent.map(({ count, byte }) => [
        mono(byte.toString(16).padStart(2, '0')),
        mono(byte > 32 && byte < 127 ? String.fromCharCode(byte) : ''),
        mono(count.toLocaleString('en')),
        { text: `${((100 * count) / bytes).toFixed(2)} %`, bar: count / bytes },
      ]),
      { title: 'Most frequent bytes' },
    ),
  ]
}
