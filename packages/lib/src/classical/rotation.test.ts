import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { rotate, rotVariants, turned, turnsOf } from './rotation.ts'

const rot = (text: string, variant: (typeof rotVariants)[number], amount?: number) =>
  rotate(text, turnsOf(variant, amount))
const FOX = 'The Quick Brown Fox Jumped Over The Lazy Dog. 0123456789'

test('CyberChef Rotate.mjs, ROT13: letters only, nothing, a full loop, below zero', () => {
  assert.equal(rot('', 'ROT13'), '')
  assert.equal(rot(FOX, 'ROT13'), 'Gur Dhvpx Oebja Sbk Whzcrq Bire Gur Ynml Qbt. 0123456789')
  assert.equal(rot(FOX, 'ROT13', -13), rot(FOX, 'ROT13'))
  for (const amount of [0, 26, -26, 2600]) assert.equal(rot(FOX, 'ROT13', amount), FOX)
})

test('CyberChef Rotate.mjs, ROT13 with numbers: letters and digits move by the same amount', () => {
  for (const [amount, digits] of [
    [0, '0123456789'],
    [13, '3456789012'],
    [-13, '7890123456'],
    [26, '6789012345'],
    [-26, '4567890123'],
  ] as const) {
    assert.equal(rot(FOX, 'ROT18', amount).slice(-10), digits)
    assert.equal(rot(FOX, 'ROT18', amount).slice(0, -10), rot(FOX, 'ROT13', amount).slice(0, -10))
  }
  assert.equal(rot(FOX, 'ROT5'), FOX.replace('0123456789', '5678901234'))
  assert.equal(rot(FOX, 'ROT5', 10), FOX)
})

test('CyberChef Rotate.mjs, ROT47: normal and a full loop', () => {
  const text = 'The Quick Brown Fox Jumped Over The Lazy Dog.'
  assert.equal(rot(text, 'ROT47'), '%96 "F:4< qC@H? u@I yF>A65 ~G6C %96 {2KJ s@8]')
  assert.equal(rot(text, 'ROT47', 94), text)
})

test('CyberChef Rotate.mjs, ROT8000: forward and backward', () => {
  const text = 'The Quick Brown Fox Jumped Over The Lazy Dog.'
  const rotated = '籝籱籮 籚籾籲籬籴 籋类籸粀籷 籏籸粁 籓籾籶籹籮籭 籘籿籮类 籝籱籮 籕籪粃粂 籍籸籰簷'
  assert.equal(rot(text, 'ROT8000'), rotated)
  assert.equal(rot(rotated, 'ROT8000'), text)
})

test('ROT8000 turns 63404 characters, and leaves white space, controls and surrogates', () => {
  const [turn] = turnsOf('ROT8000')
  assert.equal(turn?.alphabets[0]?.length, 63_404)
  assert.equal(turn?.places, 63_404 / 2)
  const kept = ' \t\n\r\0\x7f\x85\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000😀'
  assert.equal(rot(kept, 'ROT8000'), kept)
})

test('every variant undoes itself by its usual number, and every other by the same number below zero', () => {
  const text = `${FOX} é ß Ж 漢字 😀 \u{10ffff} \0\n~!`
  for (const variant of rotVariants) {
    assert.equal(rot(rot(text, variant), variant), text, variant)
    for (const amount of [1, 7, -3, 1000, 63_403, -70_000]) {
      assert.equal(rot(rot(text, variant, amount), variant, -amount), text, `${variant} by ${amount}`)
    }
    assert.ok(rot(text, variant, 4711).isWellFormed())
  }
})

test('ROT13 of every character below U+0800 is that of the rot_13 codec of Python', () => {
  const text = Array.from({ length: 0x7ff }, (_, i) => String.fromCharCode(i + 1)).join('')
  const code =
    'import codecs,sys; sys.stdout.buffer.write(codecs.encode(sys.stdin.buffer.read().decode(), "rot13").encode())'
  assert.equal(rot(text, 'ROT13'), execFileSync('python3', ['-c', code], { input: text, encoding: 'utf8' }))
})

test('a turned alphabet', () => assert.equal(turned('abcd', 1), 'bcda'))

test('sixteen million characters', () => {
  const text = 'Uryyb, Jbeyq! '.repeat(1_200_000)
  assert.equal(rot(text, 'ROT13'), 'Hello, World! '.repeat(1_200_000))
})
