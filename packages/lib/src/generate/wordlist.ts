/** Lists of words for passphrases, each a chunk of its own. */
export interface Wordlist {
  words: readonly string[]
  /** How many dice are thrown for a word; undefined where the list has no dice numbers. */
  dice?: number
  /** Some words begin like others that are whole, so run together they can be read in two ways. */
  needsSeparator: boolean
  /** Who made the list, under which licence, and where it is. */
  credit: string
  url: string
}

export const wordlistNames = ['EFF long', 'EFF short 1', 'EFF short 2', 'BIP39 English'] as const
export type WordlistName = (typeof wordlistNames)[number]

const EFF = { needsSeparator: false, credit: 'Electronic Frontier Foundation, CC BY 3.0 US' }

/** The words of a list in the order that numbers and dice count in. */
export async function loadWordlist(name: WordlistName): Promise<Wordlist> {
  switch (name) {
    case 'EFF long': {
      const { effLongWords: words } = await import('./eff-long-words.ts')
      return { ...EFF, words, dice: 5, url: 'https://www.eff.org/files/2016/07/18/eff_large_wordlist.txt' }
    }
    case 'EFF short 1': {
      const { effShort1Words: words } = await import('./eff-short-1-words.ts')
      return { ...EFF, words, dice: 4, url: 'https://www.eff.org/files/2016/09/08/eff_short_wordlist_1.txt' }
    }
    case 'EFF short 2': {
      const { effShort2Words: words } = await import('./eff-short-2-words.ts')
      return { ...EFF, words, dice: 4, url: 'https://www.eff.org/files/2016/09/08/eff_short_wordlist_2_0.txt' }
    }
    case 'BIP39 English': {
      const { wordlist: words } = await import('@scure/bip39/wordlists/english.js')
      const url = 'https://github.com/bitcoin/bips/blob/master/bip-0039/english.txt'
      return { words, needsSeparator: true, credit: 'The authors of BIP 39, MIT licence', url }
    }
  }
}
