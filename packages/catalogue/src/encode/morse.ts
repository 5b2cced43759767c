import { action, explain, field, type Panel, panel, tool } from '@assay/kit'
import { toBase64 } from '@assay/lib/bytes'
import { checkMarks, decodeMorse, encodeMorse, type Marks, writeMarks } from '@assay/lib/codec/morse'
import { morseTimings, morseWav } from '@assay/lib/codec/morse-sound'

/** Five minutes of sound are 2.4 MB; longer ones are for a radio. */
const MAX_SOUND_SECONDS = 300

const marks = {
  wpm: field.number('Speed', { min: 1, max: 100, default: 20, unit: 'words a minute' }),
  dot: field.text('Dot', { default: '.', maxLength: 10 }),
  dash: field.text('Dash', { default: '-', maxLength: 10 }),
}

/** Both marks are judged together, and the dash is named when they clash. */
const readMarks = ({ dot, dash }: Marks): Marks => {
  explain('dash', 'Dot and dash', () => checkMarks({ dot, dash }))
  return { dot, dash }
}

interface Sound {
  /** Milliseconds of tone and of silence in turn, beginning with tone. */
  timings_ms: number[]
  duration_seconds: number
}

function soundOf(code: string, wpm: number): Sound {
  const timings_ms = morseTimings(code, wpm)
  return { timings_ms, duration_seconds: timings_ms.reduce((sum, ms) => sum + ms, 0) / 1000 }
}

function soundPanels({ timings_ms, duration_seconds }: Sound, wpm: number): Panel[] {
  if (!timings_ms.length) return []
  return [
    panel.facts([['Lasts', `${duration_seconds.toFixed(1)} seconds at ${wpm} words a minute`]]),
    duration_seconds <= MAX_SOUND_SECONDS
      ? panel.file({ name: 'morse.wav', mediaType: 'audio/wav', base64: toBase64(morseWav(timings_ms)) })
      : panel.note('info', `A sound is made for up to ${MAX_SOUND_SECONDS / 60} minutes.`),
  ]
}

/** International Morse code. ITU-R M.1677-1. */
export const morse = tool({
  id: 'morse',
  path: 'morse',
  title: 'Morse Code Encode / Decode (with sound)',
  category: 'encoding-and-decoding',
  summary: 'Turn text into Morse code, read it back, and hear it at any speed.',
  keywords: ['cw', 'telegraph', 'dots and dashes', 'sos', 'radio', 'audio', 'wav'],
  specs: ['ITU-R M.1677-1'],
  runs: 'anywhere',
  actions: {
    encode: action({
      title: 'Morse Encode',
      swap: { to: 'decode', from: 'code', into: 'text' },
      fields: {
        text: field.area('Text', {
          placeholder: 'What hath God wrought',
          maxLength: 10_000,
          help: 'Prosigns go in angle brackets, such as <SK>.',
        }),
        ...marks,
      },
      run({ text, wpm, ...rest }) {
        const written = readMarks(rest)
        const { code, remarks } = explain('text', 'Text', () => encodeMorse(text))
        return { code: writeMarks(code, written), remarks, ...soundOf(code, wpm) }
      },
      show: ({ code, remarks, ...sound }, { wpm }) => [
        ...remarks.map(remark => panel.note('info', remark)),
        panel.code(code, { title: 'Morse code' }),
        ...soundPanels(sound, wpm),
      ],
      examples: [
        {
          from: 'ITU-R M.1677-1 §1',
          input: { text: 'The quick' },
          result: { code: '- .... . / --.- ..- .. -.-. -.-' },
        },
        {
          from: 'ITU-R M.1677-1 §3.3',
          title: 'A percent sign is sent as 0/0',
          input: { text: '2%' },
          result: { code: '..--- -....- ----- -..-. -----' },
        },
        {
          from: 'ITU-R M.1677-1 §1 and §2',
          title: 'Starting signal, a word, end of work',
          input: { text: '<KA> e <SK>', wpm: 12 },
          result: { code: '-.-.- / . / ...-.-' },
        },
      ],
    }),
    decode: action({
      title: 'Morse Decode',
      swap: { to: 'encode', from: 'text', into: 'text' },
      fields: {
        text: field.area('Morse code', {
          placeholder: '... --- ...',
          maxLength: 100_000,
          takes: ['morse'],
          help: 'A space between letters; a slash, or two spaces, between words.',
        }),
        ...marks,
      },
      run({ text, wpm, ...rest }) {
        const written = readMarks(rest)
        const decoded = explain('text', 'Morse code', () => decodeMorse(text, written))
        return { text: decoded.text, ...soundOf(decoded.code, wpm) }
      },
      show: ({ text, ...sound }, { wpm }) => [panel.code(text, { title: 'Text' }), ...soundPanels(sound, wpm)],
      examples: [
        {
          from: 'ITU-R M.1677-1 §1',
          input: { text: '- .... . / --.- ..- .. -.-. -.-' },
          result: { text: 'THE QUICK' },
        },
        {
          from: 'ITU-R M.1677-1 §1',
          title: 'Dots and dashes written otherwise',
          input: { text: 'didi dahdah', dot: 'di', dash: 'dah', wpm: 12 },
          result: { text: 'IM', timings_ms: [100, 100, 100, 300, 300, 100, 300] },
        },
      ],
    }),
  },
})
