import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { drawWords, isAmbiguous, joinWords, passphraseEntropy, readDice } from './passphrase.ts'
import { loadWordlist } from './wordlist.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const plain = { separator: '-', capitalize: false, number: false }
const [long, short1, short2, bip39] = await Promise.all([
  loadWordlist('EFF long'),
  loadWordlist('EFF short 1'),
  loadWordlist('EFF short 2'),
  loadWordlist('BIP39 English'),
])

/** The dice numbers of a list, 1…1 to 6…6. */
const diceNumbers = (dice: number): string[] =>
  dice === 0 ? [''] : diceNumbers(dice - 1).flatMap(head => [...'123456'].map(roll => head + roll))

for (const [list, count, dice, file] of [
  [long, 7776, 5, 'addd35536511597a02fa0a9ff1e5284677b8883b83e986e43f15a3db996b903e'],
  [short1, 1296, 4, '8f5ca830b8bffb6fe39c9736c024a00a6a6411adb3f83a9be8bfeeb6e067ae69'],
  [short2, 1296, 4, '22b45c52e0bd0bbf03aa522240b111eb4c7c0c1d86c4e518e1be2a7eb2a625e4'],
] as const) {
  test(`${list.url}: ${count} words; with their dice numbers they are the file as published, byte for byte`, () => {
    assert.equal(list.words.length, count)
    assert.equal(new Set(list.words).size, count)
    assert.deepEqual(list.words, list.words.toSorted())
    assert.equal(list.dice, dice)
    const numbers = diceNumbers(dice)
    assert.deepEqual([numbers[0], numbers.at(-1)], ['1'.repeat(dice), '6'.repeat(dice)])
    assert.equal(sha256(list.words.map((word, i) => `${numbers[i]}\t${word}\n`).join('')), file)
  })

  test(`${list.url}: every throw of the dice finds the word beside it`, () => {
    const numbers = diceNumbers(dice)
    assert.deepEqual(
      readDice(list, numbers.join(' ')),
      list.words.map((word, i) => ({ rolls: numbers[i], word })),
    )
  })
}

test('BIP 39, english.txt: 2048 words told apart by four letters, the file as published', () => {
  assert.equal(bip39.words.length, 2048)
  assert.equal(new Set(bip39.words.map(word => word.slice(0, 4))).size, 2048)
  assert.deepEqual(bip39.words, bip39.words.toSorted())
  assert.equal(
    sha256(`${bip39.words.join('\n')}\n`),
    '2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda',
  )
})

test('EFF, "Deep Dive: new wordlists": three letters tell the words of the second short list apart', () => {
  assert.equal(new Set(short2.words.map(word => word.slice(0, 3))).size, 1296)
  assert.ok(short1.words.every(word => word.length <= 5))
})

test('a list needs a separator exactly where a word begins with another', () => {
  for (const list of [long, short1, short2, bip39]) {
    const words = new Set(list.words)
    const beginsWithAnother = list.words.some(word =>
      Array.from(word, (_, i) => word.slice(0, i)).some(head => words.has(head)),
    )
    assert.equal(beginsWithAnother, list.needsSeparator)
  }
  assert.ok(bip39.words.includes('artwork') && bip39.words.includes('art') && bip39.words.includes('work'))
  assert.equal(isAmbiguous(bip39, { ...plain, separator: '' }), true)
  assert.equal(isAmbiguous(bip39, { ...plain, separator: '', capitalize: true }), false)
  assert.equal(isAmbiguous(bip39, plain), false)
  assert.equal(isAmbiguous(long, { ...plain, separator: '' }), false)
})

test('every word can be drawn, and none from bytes that would favour it', () => {
  for (const list of [long, short1, bip39]) {
    // Two bytes in order: as many draws as there are whole multiples of the list below 65536.
    let counter = 0
    const inOrder = (length: number) => {
      const bytes = Uint8Array.from({ length }, (_, i) => ((counter + (i >> 1)) >> (i & 1 ? 0 : 8)) & 255)
      counter = (counter + length / 2) & 65535
      return bytes
    }
    const each = Math.floor(65536 / list.words.length)
    const counts = new Map<string, number>()
    for (const word of drawWords(list, each * list.words.length, inOrder)) counts.set(word, (counts.get(word) ?? 0) + 1)
    assert.equal(counts.size, list.words.length)
    assert.ok([...counts.values()].every(count => count === each))
  }
})

test('separators, capitals and the digit', () => {
  const words = ['yo-yo', 'acid', 'zoom']
  assert.equal(joinWords(words, plain, random), 'yo-yo-acid-zoom')
  assert.equal(joinWords(words, { ...plain, separator: '', capitalize: true }, random), 'Yo-yoAcidZoom')
  assert.equal(joinWords(words, { ...plain, separator: ' 🎲 ' }, random), 'yo-yo 🎲 acid 🎲 zoom')
  const seen = new Set<string>()
  for (let i = 0; i < 2000; i++) seen.add(joinWords(words, { ...plain, separator: ' ', number: true }, random))
  assert.equal(seen.size, 30)
  for (const phrase of seen) assert.match(phrase, /^yo-yo\d? acid\d? zoom\d?$/)
})

test('EFF: six words of the long list have 77.5 bits, of a short list 62.0; BIP 39: twelve have 132', () => {
  for (const [list, count, style, bits] of [
    [long, 6, plain, 77.5],
    [short1, 6, plain, 62],
    [bip39, 12, plain, 132],
    [long, 6, { ...plain, capitalize: true }, 77.5],
    [long, 6, { ...plain, number: true }, 77.5 + Math.log2(60)],
  ] as const) {
    assert.ok(Math.abs(passphraseEntropy(list, count, style) - bits) < 0.1)
  }
})

test('real dice in any grouping', () => {
  const first = [{ rolls: '11111', word: 'abacus' }]
  for (const text of ['11111', '1 1 1 1 1', '1\n1\n1\n1\n1\n', ' 1,1,1-1-1 '])
    assert.deepEqual(readDice(long, text), first)
  const three = ['abacus', 'zoom', 'abacus']
  for (const text of ['11111 66666 11111', '1111166666 11111', '111116666611111', '11111-66666;11111']) {
    assert.deepEqual(
      readDice(long, text).map(({ word }) => word),
      three,
    )
  }
  assert.deepEqual(readDice(short2, '6666'), [{ rolls: '6666', word: short2.words.at(-1) }])
})

test('dice that cannot be are refused by the number of the roll or of the group', () => {
  for (const [list, text, message] of [
    [long, '11117', 'roll 5 is not a number from 1 to 6'],
    [long, '11111 10111', 'roll 7 is not a number from 1 to 6'],
    [long, '11111 x', 'roll 6 is not a number from 1 to 6'],
    [long, '1111', 'group 1 has 4 rolls, and a word of this list takes 5'],
    [long, '11111 2222 333333', 'group 2 has 4 rolls, and a word of this list takes 5'],
    [long, '1 2 3 4 5 6', 'expected 5 rolls for each word, got 6: 4 more are needed'],
    [short1, ' - ', 'expected 4 rolls for each word, got 0: 4 more are needed'],
    [bip39, '11111', 'this list has no dice numbers, so expected one of the EFF lists'],
  ] as const) {
    assert.throws(() => readDice(list, text), { name: 'RangeError', message })
  }
})
