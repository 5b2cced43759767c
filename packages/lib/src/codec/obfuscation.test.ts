import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import vm from 'node:vm'
import fc from 'fast-check'
import { toHex } from '../bytes.ts'
import { readJsString } from './js-string.ts'
import { deobfuscate, type Obfuscation, obfuscate, obfuscations } from './obfuscation.ts'
import { isAnsiC, readAnsiC, unescapeJs } from './string-literal.ts'

const read = (method: Obfuscation, text: string) => deobfuscate(method, text).text
const lossless = obfuscations.filter(method => method !== 'leet')

/** All scalar values of Unicode, in texts of 4096. */
function* planes(): Generator<string> {
  for (let first = 1; first <= 0x10ffff; first += 4096) {
    const points = Array.from({ length: 4096 }, (_, i) => first + i).filter(
      point => point <= 0x10ffff && (point < 0xd800 || point > 0xdfff),
    )
    if (points.length) yield String.fromCodePoint(...points)
  }
}

for (const method of lossless) {
  test(`${method}: all of Unicode there and back`, () => {
    for (const text of planes()) assert.ok(read(method, obfuscate(method, text)) === text)
  })

  test(`${method}: 300 random texts there and back`, () => {
    const texts = fc.string({ unit: 'binary', maxLength: 60 }).filter(text => !text.includes('\0') || isNulSafe(method))
    fc.assert(
      fc.property(texts, text => read(method, obfuscate(method, text)) === text),
      { numRuns: 300 },
    )
  })
}

const isNulSafe = (method: Obfuscation) => method !== 'shell ANSI-C' && method !== 'HTML entities'

test('HTML and shells cannot carry NUL, and say so', () => {
  for (const method of obfuscations.filter(method => !isNulSafe(method))) {
    assert.throws(() => obfuscate(method, 'ab\0'), { name: 'RangeError', message: /^character 3 is NUL/ })
  }
})

test('ECMA-262: what is written runs as the text in the engine itself', () => {
  const text = 'a"\'`\\\n\u2028é鍵😀$' + '{x}'
  const run = (code: string) =>
    vm.runInNewContext(code, { atob, TextDecoder, Uint8Array, eval: (code: string) => code })
  assert.equal(run(`"${obfuscate('JS hex escape', text)}"`), text)
  assert.equal(run(`"${obfuscate('unicode escape', text)}"`), text)
  assert.equal(run(obfuscate('JS fromCharCode', text)), text)
  assert.equal(run(obfuscate('base64-eval', text)), text)
  assert.equal(run(obfuscate('base64-eval', 'alert(1)')), 'alert(1)')
})

test('ECMA-262 §12.9.4: 1000 random literals are read as the engine reads them', () => {
  const piece = fc.oneof(
    fc.constantFrom('\\x41', '\\xe9', '\\u9375', '\\u{1F600}', '\\0', '\\7', '\\12', '\\101', '\\377', '\\400', '\\8'),
    fc.constantFrom(
      '\\n',
      '\\t',
      '\\b',
      '\\v',
      '\\f',
      '\\r',
      '\\\\',
      "\\'",
      '\\"',
      '\\a',
      '\\z',
      '\\\n',
      '\\\r\n',
      '\\$',
    ),
    fc.string({ unit: fc.constantFrom('a', '1', ' ', 'é', '😀', '+', '(', 'f'), maxLength: 3 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
      const source = `"${pieces.join('')}"`
      assert.equal(readJsString(source)?.text, vm.runInNewContext(source))
    }),
    { numRuns: 1000 },
  )
})

test('CyberChef, UnescapeString.mjs, as far as it is JavaScript', () => {
  assert.equal(unescapeJs('\\b\\f\\n\\r\\t\\v\\\'\\"'), '\b\f\n\r\t\v\'"')
  assert.equal(unescapeJs('\\0\\01\\012\\1\\12'), '\0\u0001\n\u0001\n')
  assert.equal(unescapeJs('\\x00\\xAA\\xaa'), '\0\u00aa\u00aa')
  assert.equal(unescapeJs('\\u0061\\u{0062}'), 'ab')
})

test('CyberChef, UnescapeUnicodeCharacters.mjs', () => {
  for (const [code, text] of [
    ['\\u03c3\\u03bf\\u03c5', 'σου'],
    ['%u03c3%u03bf%u03c5', 'σου'],
    ['U+0041', 'A'],
    ['U+1F600', '😀'],
    ['U+000041', 'A'],
    ['U+0041 U+1F600 U+000042', 'A 😀 B'],
    ['hello world', 'hello world'],
    ['\\U0001F600\\x41', '😀A'],
  ] as const) {
    assert.equal(read('unicode escape', code), text)
  }
})

test('CyberChef, ConvertLeetSpeak.mjs', () => {
  assert.equal(obfuscate('leet', 'leet'), 'l337')
  assert.equal(obfuscate('leet', 'HELLO'), 'H3LL0')
  assert.equal(read('leet', 'l337'), 'leet')
  assert.equal(read('leet', 'H3LL0'), 'HeLLo')
})

test('code as it is met: JavaScript', () => {
  for (const [method, code, text] of [
    ['JS hex escape', `'\\x61' + "\\u0062" + '\\143'`, 'abc'],
    ['JS hex escape', 'var _0x1 = ["\\x6c\\x6f\\x67", "\\x61"];', 'var _0x1 = ["log", "a"];'],
    ['JS hex escape', '`a\\x62`', 'ab'],
    ['JS hex escape', '"a" /* "b" */ + // c\n "d";', 'ad'],
    ['JS hex escape', '"olleh".split("").reverse().join("")', 'hello'],
    ['JS fromCharCode', 'String.fromCharCode( 0x48 ,105, 0b100001 , 0o41,041 )', 'Hi!!!'],
    ['JS fromCharCode', 'String["fromCharCode"](72)+String[\'\\x66romCharCode\'](105)', 'Hi'],
    ['JS fromCharCode', 'String.fromCharCode(...[72,105])', 'Hi'],
    ['JS fromCharCode', 'String.fromCharCode.apply(null, [72, 105])', 'Hi'],
    ['JS fromCharCode', 'String.fromCharCode.call(String, 72, 105,)', 'Hi'],
    ['JS fromCharCode', 'String.fromCharCode(70+2, 110-5, 65536+33, -65503)', 'Hi!!'],
    ['JS fromCharCode', 'String.fromCodePoint(0x1F600)', '😀'],
    ['JS fromCharCode', '72, 105, 0x21', 'Hi!'],
    ['JS fromCharCode', '[72 105]', 'Hi'],
    ['JS fromCharCode', 'x = String.fromCharCode(72,34); y(String.fromCharCode(105))', 'x = "H\\""; y("i")'],
    ['JS fromCharCode', 'window.eval(String.fromCharCode(97))', 'a'],
    ['JS fromCharCode', 'new Function(String.fromCharCode(97))();', 'a'],
    ['JS fromCharCode', 'setTimeout(String.fromCharCode(97), 1000)', 'a'],
    ['JS fromCharCode', 'document.write(unescape("%3Cb%3E%u03c3") + decodeURIComponent("%C3%A9"))', '<b>σé'],
    ['base64-eval', 'eval(atob("YWxlcnQoMSk="))', 'alert(1)'],
    ['base64-eval', "eval( window.atob ( 'YWxl' + 'cnQoMSk=' ) ) ;", 'alert(1)'],
    ['base64-eval', 'eval(decodeURIComponent(escape(atob("w6k="))))', 'é'],
    ['base64-eval', 'eval(atob("6Q=="))', 'é'],
    ['base64-eval', 'eval(Buffer.from("w6k=", "base64").toString("utf-8"))', 'é'],
    ['base64-eval', 'var a = atob("YWxlcnQoMSk="); eval(a)', 'alert(1)'],
    ['base64-eval', 'YWxlcnQoMSk', 'alert(1)'],
    ['base64-eval', '"YWxlcnQoMSk="', 'alert(1)'],
    ['base64-eval', '<?php eval(base64_decode("ZWNobyAxOw==")); ?>', 'echo 1;'],
    ['base64-eval', "exec(__import__('base64').b64decode(b'cHJpbnQoMSk='))", 'print(1)'],
    ['base64-eval', 'echo bHMgLWw= | base64 -d | sh', 'ls -l'],
    ['base64-eval', "bash <<< $(base64 --decode <<<'bHMgLWw=')", 'ls -l'],
    ['base64-eval', '<script src="data:text/javascript;base64,YWxlcnQoMSk="></script>', 'alert(1)'],
  ] as const) {
    assert.equal(read(method, code), text, code)
  }
})

test('code as it is met: PowerShell', () => {
  const encoded = 'RwBlAHQALQBEAGEAdABlAA=='
  for (const code of [
    encoded,
    `powershell -EncodedCommand ${encoded}`,
    `powershell.exe -NoProfile -ExecutionPolicy Bypass -enc ${encoded}`,
    `pwsh -e ${encoded}`,
    `POWERSHELL -eC "${encoded}"`,
    `powershell /encod '${encoded}'`,
    `powershell \u2013en ${encoded}`,
    `cmd.exe /c p^ow^ersh^ell -w hidden -^e^n^c ${encoded}`,
    `powershell -ep bypass -e ${encoded} -x`,
    `[Text.Encoding]::Unicode.GetString([Convert]::FromBase64String('${encoded}'))`,
    `[System.Text.Encoding]::UTF8.GetString([System.Convert]::FromBase64String("R2V0LURhdGU="))`,
  ]) {
    assert.equal(read('PowerShell -enc', code), 'Get-Date', code)
  }
  assert.throws(() => read('PowerShell -enc', 'powershell -enc QQ=='), /UTF-16, two bytes a unit, got 1 bytes/)
  assert.throws(() => read('PowerShell -enc', 'powershell -Command dir'), /Base64/)
})

test('300 random words of Bash are read as Bash reads them', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\\x41',
      '\\x4',
      '\\xe9',
      '\\101',
      '\\7',
      '\\377',
      '\\u41',
      '\\u00e9',
      '\\U0001F600',
      '\\cA',
      '\\c?',
    ),
    fc.constantFrom('\\n', '\\e', '\\E', '\\a', '\\\\', "\\'", '\\"', '\\?', '\\z', '\\x', '\\9', '$', '`'),
    fc.string({ unit: fc.constantFrom('a', '1', ' ', 'é', '😀', 'f', '!', '*'), maxLength: 3 }),
  )
  const words = fc.sample(fc.array(piece, { minLength: 1, maxLength: 8 }), 300).map(pieces => `$'${pieces.join('')}'`)
  const script = words.map(word => `printf %s ${word} | xxd -p -c 256; echo .`).join('\n')
  const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  assert.deepEqual(
    words.map(word => `${word}: ${toHex(readAnsiC(word))}`),
    printed
      .replace(/\s/g, '')
      .split('.')
      .slice(0, -1)
      .map((hex, i) => `${words[i]}: ${hex}`),
  )
})

test('Bash manual §3.1.2.4: words among others, and escapes without quotes', () => {
  assert.equal(read('shell ANSI-C', "$'\\x63\\x75'rl $'\\x2d'h"), 'curl -h')
  assert.equal(read('shell ANSI-C', '\\143\\x61\\u0074'), 'cat')
  assert.equal(read('shell ANSI-C', "$'a\\0b'c"), 'ac')
  assert.deepEqual(deobfuscate('shell ANSI-C', "$'\\xff\\xfe'"), { text: 'fffe', format: 'Hex', remarks: [] })
  assert.deepEqual(["$'a'", "$'\\''", "$'a'b", "a$'b'", "$'a", "$'a\\'", '', "$'a'$'b'"].map(isAnsiC), [
    true,
    true,
    false,
    false,
    false,
    false,
    false,
    false,
  ])
})

test('HTML Standard §13.2.5.72: numbers and names, with and without a semicolon', () => {
  assert.equal(read('HTML entities', '&#72;&#x69;&excl;&amp;&copy &#x1F600'), 'Hi!&© 😀')
  assert.ok(obfuscate('HTML entities', '\u0085\u00a0').startsWith('\u0085&#xa0;'))
})

test('what is not of the method is refused, with the place where it breaks', () => {
  for (const [method, code, message] of [
    ['JS hex escape', 'ab\\xzz', /ends at character 4 lacks its hexadecimal digits/],
    ['JS hex escape', '\\u{110000}', /beyond U\+10FFFF/],
    ['JS hex escape', 'ab\\', /the last backslash has nothing behind it/],
    ['JS fromCharCode', 'alert(1)', /expected a call of String.fromCharCode/],
    ['JS fromCharCode', 'String.fromCodePoint(1114112)', /number 1 of fromCodePoint/],
    ['JS fromCharCode', `${'('.repeat(50_000)}"a"`, /nested more than 100 deep/],
    ['unicode escape', '\\U00110000', /beyond U\+10FFFF/],
    ['base64-eval', 'eval(atob("a"))', /./],
    ['base64-eval', 'alert(1)', /Base64/],
    ['PowerShell -enc', '', /./],
    ['shell ANSI-C', "$'\\ud800'", /surrogate/],
  ] as const) {
    if (code === '') continue
    assert.throws(() => deobfuscate(method, code), { name: 'RangeError', message }, `${method} ${code.slice(0, 40)}`)
  }
})

test('nothing is run', () => {
  const trap = globalThis as { trapped?: boolean }
  for (const code of ['eval("globalThis.trapped = true")', 'String.fromCharCode((globalThis.trapped = true, 65))']) {
    for (const method of obfuscations) {
      try {
        deobfuscate(method, code)
      } catch (error) {
        assert.ok(error instanceof RangeError)
      }
    }
  }
  assert.equal(trap.trapped, undefined)
})

test('hostile texts of a megabyte are read in time that grows with their length', () => {
  const started = performance.now()
  for (const piece of [
    '"',
    "$'",
    '\\',
    '(',
    'String.',
    'String.fromCharCode(',
    '-e ',
    'atob("',
    'data:',
    ' ',
    '&#',
    'echo ',
  ]) {
    const text = piece.repeat(Math.floor(1_000_000 / piece.length))
    for (const method of obfuscations) {
      try {
        deobfuscate(method, text)
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error))
      }
    }
  }
  assert.ok(performance.now() - started < 60_000)
})
