import { action, field, mono, type Panel, panel, tool } from '@assay/kit'
import type { HomoglyphReport } from '@assay/lib/unicode/homoglyph'

/** A page of text; every character is looked up in a table of thousands. */
const MAX_LENGTH = 100_000
/** So many imitations of one character are drawn. */
const SHOWN_LOOK_ALIKES = 40

const scripts = field.choice('Scripts', ['all', 'Cyrillic', 'Greek', 'Latin'], {
  help: 'Whose characters count as look-alikes.',
})

const text = (placeholder: string) => field.text('Text', { maxLength: MAX_LENGTH, placeholder })

/** 26 KB of the table, loaded when a tool runs. */
const load = () => import('@assay/lib/unicode/homoglyph')

const cost = ({ text }: { text: string }) => ({ milliseconds: 30 + text.length / 50, megabytes: 20 })

function bannerOf({ word_count, character_count, words }: HomoglyphReport): Panel {
  const deceiving = words.filter(({ reason }) => reason !== 'look-alikes').length
  if (deceiving) {
    const title = `${deceiving} ${deceiving === 1 ? 'word passes' : 'words pass'} for another`
    return panel.banner('bad', title, { badge: 'CONFUSABLE' })
  }
  if (word_count)
    return panel.banner('warn', 'Some characters only look like ordinary letters', { badge: 'LOOK-ALIKES' })
  return panel.banner('good', 'No word passes for another', {
    badge: 'CLEAN',
    ...(character_count && { detail: 'Some characters look like others, as is usual in their script.' }),
  })
}

/** Characters that look alike. UTS 39. */
export const homoglyph = tool({
  id: 'homoglyph',
  path: 'homoglyph',
  title: 'Homoglyph Generator and Detector',
  category: 'encoding-and-decoding',
  summary: 'Find letters that only look like others, compare two texts as a reader sees them, or make such imitations.',
  keywords: [
    'confusables',
    'lookalike',
    'spoofing',
    'idn homograph',
    'phishing',
    'skeleton',
    'cyrillic a',
    'mixed script',
  ],
  specs: ['UTS 39'],
  runs: 'anywhere',
  actions: {
    detect: action({
      title: 'Homoglyph Detector',
      swap: { to: 'generate', from: 'ascii', into: 'text' },
      fields: {
        text: text('раураl.example'),
        compare_with: field.text('Compare with', {
          optional: true,
          maxLength: MAX_LENGTH,
          placeholder: 'paypal.example',
          help: 'Tells whether a reader could take one for the other.',
        }),
        scripts,
      },
      async run({ text, compare_with, scripts }) {
        const { findHomoglyphs, skeleton } = await load()
        const report = findHomoglyphs(text, scripts)
        if (compare_with === undefined) return report
        return { ...report, identical: text === compare_with, confusable: report.skeleton === skeleton(compare_with) }
      },
      show(result) {
        const { ascii, skeleton, words, word_count, characters, character_count } = result
        return [
          bannerOf(result),
          ...('confusable' in result
            ? [
                panel.note(
                  result.confusable && !result.identical ? 'bad' : 'info',
                  result.identical
                    ? 'The two texts are the same.'
                    : result.confusable
                      ? 'The two texts are different and look alike: their skeletons are equal.'
                      : 'The two texts do not look alike: their skeletons differ.',
                ),
              ]
            : []),
          panel.facts([
            ['Read as', ascii],
            ['Skeleton', skeleton],
          ]),
          ...(words.length
            ? [
                panel.table(
                  ['Word', 'Read as', 'Scripts', 'Why'],
                  words.map(({ word, looks_like, scripts, reason }) => [
                    word,
                    mono(looks_like),
                    scripts.join(', '),
                    { text: reason, tone: reason === 'look-alikes' ? 'warn' : 'bad', badge: true },
                  ]),
                  {
                    title: word_count > words.length ? `Words, the first ${words.length} of ${word_count}` : 'Words',
                    cards: true,
                    scroll: true,
                  },
                ),
              ]
            : []),
          ...(characters.length
            ? [
                panel.table(
                  ['Place', 'Character', 'Code point', 'Script', 'Looks like'],
                  characters.map(({ position, character, code_point, script, looks_like }) => [
                    position,
                    character,
                    mono(code_point),
                    script,
                    mono(looks_like),
                  ]),
                  {
                    title:
                      character_count > characters.length
                        ? `Characters, the first ${characters.length} of ${character_count}`
                        : 'Characters',
                    cards: true,
                    scroll: true,
                  },
                ),
              ]
            : []),
        ]
      },
      cost,
      examples: [
        {
          from: 'UTS 39 §4, the skeletons of paypal',
          title: 'Five Cyrillic letters and one of Latin',
          input: { text: 'раураl', compare_with: 'paypal' },
          result: { ascii: 'paypal', confusable: true, identical: false, character_count: 5, word_count: 1 },
        },
        {
          from: 'UTS 39 §5.1, mixed scripts of Japanese',
          title: 'Japanese mixes scripts honestly',
          input: { text: '日本語テキスト' },
          result: { word_count: 0 },
        },
        {
          from: 'confusables.txt 17.0.0',
          input: { text: 'Gооgle', scripts: 'Cyrillic' },
          result: { skeleton: 'Google', character_count: 2 },
        },
      ],
    }),
    generate: action({
      title: 'Homoglyph Generator',
      swap: { to: 'detect', from: 'output', into: 'text' },
      fields: { text: text('example.com'), scripts },
      async run({ text, scripts }) {
        const { imitate } = await load()
        return imitate(text, scripts)
      },
      show: ({ output, replaced, choices, variants }) => [
        replaced
          ? panel.code(output, { title: `${replaced} characters replaced` })
          : panel.note('info', 'No character of the text has a look-alike in these scripts.'),
        ...(choices.length
          ? [
              panel.table(
                ['Character', 'Look-alikes'],
                choices.map(({ character, look_alikes }) => [
                  mono(character),
                  look_alikes.slice(0, SHOWN_LOOK_ALIKES).join(' ') +
                    (look_alikes.length > SHOWN_LOOK_ALIKES ? ' …' : ''),
                ]),
                { title: 'Choices', scroll: true },
              ),
              panel.list(
                variants.map(variant => ({ text: variant })),
                { title: 'One place at a time', scroll: true },
              ),
            ]
          : []),
      ],
      cost,
      examples: [
        {
          from: 'confusables.txt 17.0.0',
          input: { text: 'paypal', scripts: 'Cyrillic' },
          result: { output: 'раураӏ', replaced: 6 },
        },
        {
          from: 'confusables.txt 17.0.0',
          title: 'Greek has few look-alikes of small letters',
          input: { text: 'Beo', scripts: 'Greek' },
          result: { output: 'Βeο', replaced: 2 },
        },
      ],
    }),
  },
})
