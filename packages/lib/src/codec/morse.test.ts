import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { checkMarks, decodeMorse, encodeMorse, writeMarks } from './morse.ts'
import { morseTimings, morseWav } from './morse-sound.ts'

const plain = { dot: '.', dash: '-' }

test('ITU-R M.1677-1 §1: letters, figures and signs', () => {
  assert.equal(encodeMorse('The quick').code, '- .... . / --.- ..- .. -.-. -.-')
  assert.equal(encodeMorse('é').code, '..-..')
  assert.equal(encodeMorse('12.34, (5)').code, '.---- ..--- .-.-.- ...-- ....- --..-- / -.--. ..... -.--.-')
  assert.equal(encodeMorse('a@b.org').code, '.- .--.-. -... .-.-.- --- .-. --.')
})

test('ITU-R M.1677-1 §1: signals that stand for no character are written in angle brackets', () => {
  assert.equal(encodeMorse('<KA> ok <sk>').code, '-.-.- / --- -.- / ...-.-')
  assert.equal(encodeMorse('<SOS>').code, '...---...')
  assert.equal(encodeMorse('<HH>').code, '........')
  assert.equal(decodeMorse('-.-.- / --- -.- / ...-.- / ...-. / .-...', plain).text, '<KA> OK <SK> <SN> <AS>')
  assert.throws(() => encodeMorse('ab <ZZ>'), { name: 'RangeError', message: 'character 4 has no Morse code' })
})

test('ITU-R M.1677-1 §3: the multiplication sign is X, the percent sign 0/0 joined by a hyphen', () => {
  assert.deepEqual(encodeMorse('2%'), {
    code: '..--- -....- ----- -..-. -----',
    remarks: ['% is sent as 0/0, as ITU-R M.1677-1 §3 has it.'],
  })
  assert.equal(decodeMorse(encodeMorse('2% of 3×4').code, plain).text, '2-0/0 OF 3X4')
})

test('typographic quotation marks and dashes are sent as the plain ones', () => {
  assert.equal(encodeMorse('“it’s” – ok').code, encodeMorse('"it\'s" - ok').code)
  assert.deepEqual(encodeMorse('it’s').remarks, [])
  assert.equal(encodeMorse('so…').code, encodeMorse('so...').code)
})

test('three dots that a word processor made one sign of are three dots', () => {
  assert.equal(decodeMorse('… --- …', plain).text, 'SOS')
  assert.equal(decodeMorse('….', plain).text, 'H')
  assert.throws(() => decodeMorse('…', { dot: '*', dash: '-' }), /character 1 is no dot/)
})

test('signs outside the Recommendation are sent, and told', () => {
  assert.deepEqual(encodeMorse('Hi!'), { code: '.... .. -.-.--', remarks: ['Customary, but not in ITU-R M.1677-1: !'] })
  assert.equal(decodeMorse('.... .. -.-.--', plain).text, 'HI!')
})

test('characters without a signal are refused with their place, not dropped', () => {
  for (const [text, position] of [
    ['漢', 1],
    ['a&b', 2],
    ['abc #', 5],
    ['é€', 2],
    ['a 😀', 3],
    ['<', 1],
    ['a<b>', 2],
  ] as const) {
    assert.throws(
      () => encodeMorse(text),
      { name: 'RangeError', message: `character ${position} has no Morse code` },
      text,
    )
  }
})

test('every text of the alphabet goes there and back', () => {
  const characters = [...`ABCDEFGHIJKLMNOPQRSTUVWXYZÉÄÖÜÑ0123456789.,:?'-/()"=+@!;_$`]
  for (let i = 0; i < 200; i++) {
    const word = () => Array.from({ length: randomInt(1, 9) }, () => characters[randomInt(characters.length)]).join('')
    const text = `${word()} ${word()}\n${word()}`
    const { code } = encodeMorse(text)
    assert.deepEqual(decodeMorse(code, plain), { text, code })
    const marks = { dot: 'di', dash: 'dah' }
    assert.deepEqual(decodeMorse(writeMarks(code, marks), marks), { text, code })
  }
})

test('code is read as people write it', () => {
  for (const text of [
    '... --- ...',
    '••• −−− •••',
    '··· ––– ···',
    '...   ---  ...',
    '.../---|...',
    ' ... ___ ... \n',
  ]) {
    assert.equal(decodeMorse(text, plain).text.replaceAll(' ', '').trim(), 'SOS', text)
  }
  assert.equal(decodeMorse('.-  -...', plain).text, 'A B')
  assert.equal(decodeMorse('', plain).text, '')
})

test('what is no Morse code is refused with its place', () => {
  for (const [text, message] of [
    ['... x', 'character 5 is no dot, no dash and no space'],
    ['... .-.-.-.-. ...', 'the signal at character 5 stands for nothing'],
    ['------', 'the signal at character 1 stands for nothing'],
    ['abc', 'character 1 is no dot, no dash and no space'],
  ] as const) {
    assert.throws(() => decodeMorse(text, plain), { name: 'RangeError', message }, text)
  }
})

test('marks that cannot be told apart are refused', () => {
  for (const [dot, dash] of [
    ['', '-'],
    ['.', ' '],
    ['.', '/'],
    ['.', '.'],
    ['o', 'oo'],
    ['ab', 'a'],
  ] as const) {
    assert.throws(() => checkMarks({ dot, dash }), { name: 'RangeError' }, `${dot} ${dash}`)
  }
  checkMarks({ dot: 'di', dash: 'dah' })
  assert.equal(decodeMorse('constructor', { dot: 'constructor', dash: '-' }).text, 'E')
})

test('ITU-R M.1677-1 §2: the lengths of tones and gaps; PARIS with its gap is fifty dots', () => {
  assert.deepEqual(morseTimings(encodeMorse('ET E').code, 20), [60, 180, 180, 420, 60])
  assert.deepEqual(morseTimings('.-', 12), [100, 100, 300])
  const once = morseTimings(encodeMorse('PARIS').code, 1).reduce((sum, ms) => sum + ms)
  assert.equal(once + 7 * 1200, 60_000)
  assert.deepEqual(morseTimings('', 20), [])
})

test('the sound is a WAV file as long as its timings, silent in the gaps and without clicks', t => {
  const timings = morseTimings(encodeMorse('ET').code, 20)
  const wav = morseWav(timings)
  const samples = wav.subarray(44)
  assert.equal(samples.length, (60 + 180 + 180) * 8)
  const gap = samples.subarray(60 * 8, 240 * 8)
  assert.ok(gap.every(sample => sample === 128))
  assert.ok(Math.max(...samples) > 220 && Math.min(...samples) < 36)
  for (const edge of [0, 60 * 8 - 1, 240 * 8, samples.length - 1]) assert.ok(Math.abs((samples[edge] ?? 0) - 128) < 8)
  try {
    const code = 'import sys, io, wave; print(wave.open(io.BytesIO(sys.stdin.buffer.read())).getparams())'
    const said = execFileSync('python3', ['-c', code], { input: wav, encoding: 'utf8' })
    assert.match(said, /nchannels=1, sampwidth=1, framerate=8000, nframes=3360/)
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    t.skip('no python3')
  }
})
