import { explain, field, mono, panel, tool } from '@assay/kit'
import { drawWords, isAmbiguous, joinWords, passphraseEntropy, readDice } from '@assay/lib/generate/passphrase'
import { loadWordlist, wordlistNames } from '@assay/lib/generate/wordlist'
import { guessingPanels, roundBits } from './guessing.ts'

const MAX_WORDS = 64
const MAX_COUNT = 100
const MAX_SEPARATOR_CHARACTERS = 16
/** Five dice for each of 64 words, and something between them. */
const MAX_DICE_CHARACTERS = 1000

/** Passphrases of words drawn from a list, by the system's generator or by real dice. */
export const passphraseGenerator = tool({
  id: 'passphrase-generator',
  path: 'passphrase-generator',
  title: 'Passphrase Generator (Diceware)',
  category: 'generators-and-randomness',
  summary: 'Words drawn from a published list, to remember in place of a password.',
  keywords: ['diceware', 'eff wordlist', 'bip39 words', 'memorable password', 'xkcd', 'correct horse', 'dice', 'words'],
  specs: ['Diceware', 'BIP 39'],
  runs: 'anywhere',
  fields: {
    words: field.number('Words', { min: 1, max: MAX_WORDS, default: 6 }),
    wordlist: field.choice('List of words', wordlistNames, {
      help: 'EFF long has 7776 words, the short lists 1296, BIP39 2048.',
    }),
    separator: field.text('Between the words', { default: '-', maxLength: MAX_SEPARATOR_CHARACTERS }),
    capitalize: field.flag('Capital letters', { help: 'Each word begins with one. They add no entropy.' }),
    number: field.flag('A digit', { help: 'After one of the words, for systems that ask for one.' }),
    count: field.number('How many', { min: 1, max: MAX_COUNT, default: 1 }),
    dice_rolls: field.area('Rolls of your own dice', {
      optional: true,
      secret: true,
      maxLength: MAX_DICE_CHARACTERS,
      placeholder: '43146 15665 33111 26344 51423 66215',
      help: 'Five for each word of the long list, four for the short ones. They choose the words in place of the system.',
    }),
  },
  async run({ words, wordlist, count, dice_rolls, ...style }, { random }) {
    const list = await loadWordlist(wordlist)
    const dice = dice_rolls?.trim() ? explain('dice_rolls', 'Rolls', () => readDice(list, dice_rolls)) : undefined
    const draw = () => joinWords(dice?.map(({ word }) => word) ?? drawWords(list, words, random), style, random)
    const length = dice?.length ?? words
    return {
      passphrases: Array.from({ length: dice ? 1 : count }, draw),
      words: length,
      entropy_bits: roundBits(passphraseEntropy(list, length, style)),
      ambiguous: isAmbiguous(list, style),
      wordlist,
      list_words: list.words.length,
      credit: list.credit,
      url: list.url,
      ...(dice && { dice }),
    }
  },
  show: ({ passphrases, words, entropy_bits, ambiguous, wordlist, list_words, credit, url, dice }) => [
    panel.list(passphrases.map(text => ({ text: mono(text) }))),
    ...guessingPanels(entropy_bits, 'passphrase'),
    ...(ambiguous
      ? [panel.note('warn', 'Without a separator some choices of words read the same, such as art work and artwork.')]
      : []),
    ...(dice
      ? [
          panel.table(
            ['Rolls', 'Word'],
            dice.map(({ rolls, word }) => [mono(rolls), mono(word)]),
          ),
        ]
      : []),
    panel.facts([
      ['Choices', `${words} ${words === 1 ? 'word' : 'words'}, each one of ${list_words.toLocaleString('en')}`],
      ['List', { text: `${wordlist}: ${credit}`, href: url }],
    ]),
  ],
  examples: [
    {
      from: 'https://www.eff.org/files/2016/07/18/eff_large_wordlist.txt',
      title: 'Six words by real dice',
      input: { dice_rolls: '11111 22222 33333 44444 55555 66666' },
      result: { passphrases: ['abacus-dating-handgrip-playlist-spotter-zoom'], entropy_bits: 77.5 },
    },
    {
      from: 'https://www.eff.org/dice',
      title: 'Six words of the long list',
      input: { words: 6 },
      result: { words: 6, list_words: 7776, entropy_bits: 77.5 },
    },
    {
      from: 'BIP 39, "Generating the mnemonic": 11 bits a word',
      input: { words: 12, wordlist: 'BIP39 English', separator: ' ' },
      result: { words: 12, entropy_bits: 132 },
    },
  ],
})
