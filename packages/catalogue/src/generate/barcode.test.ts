import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { symbologyNames } from '@assay/lib/barcode/symbology'
import { barcode } from './barcode.ts'

const [action] = barcode.actions
interface Result {
  text: string
  width: number
  height: number
  check?: string
  check_digit?: string
  svg?: string
  png?: string
}
async function run(input: Record<string, unknown>) {
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Result
  return { ...result, panels: action.show?.(result, outcome.input) ?? [] }
}

test('[CTL-074] every symbology comes as SVG and as PNG of the same size', async () => {
  for (const symbology of symbologyNames) {
    const text = {
      'GS1-128': '(01)09521234543213',
      'EAN-8': '9520000',
      'UPC-A': '01234500005',
      'ITF-14': '1540014128876',
    }
    const input = { symbology, text: text[symbology as keyof typeof text] ?? '952012345678' }
    const [svg, png] = [await run(input), await run({ ...input, format: 'PNG' })]
    assert.deepEqual([svg.width, svg.height], [png.width, png.height])
    assert.match(svg.svg ?? '', /^<svg /)
    const bytes = Buffer.from(png.png ?? '', 'base64')
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [png.width, png.height])
    assert.deepEqual(svg.panels[0], {
      ...{ kind: 'image', source: svg.svg, alt: `${symbology} of ${svg.text}`, name: 'barcode.svg' },
      ...{ width: svg.width, height: svg.height },
    })
  }
})

test('check digits are told: there and right, or added', async () => {
  for (const [symbology, text, whole, check] of [
    ['EAN-13', '9780306406157', '9780306406157', 'verified'],
    ['EAN-8', '9520000', '95200002', 'added'],
    ['UPC-A', '0 36000 29145', '036000291452', 'added'],
    ['ITF-14', '15400141288763', '15400141288763', 'verified'],
  ] as const) {
    const result = await run({ symbology, text })
    assert.deepEqual([result.text, result.check, result.check_digit], [whole, check, whole.slice(-1)])
  }
  assert.equal((await run({ text: 'A1' })).check_digit, undefined)
})

test('a text in the picture cannot become markup', async () => {
  const { svg, panels } = await run({ text: '<script>"&' })
  assert.doesNotMatch(svg ?? '', /script|&/)
  assert.match(JSON.stringify(panels), /Code 128 of <script>/)
})

test('refusals name the field and the position', async () => {
  for (const [input, field, message] of [
    [{}, 'text', 'Contents: expected something to put into the code.'],
    [{ text: 'naïve' }, 'text', 'Contents: character 3 is not in ASCII, which is all that Code 128 has.'],
    [{ text: '5901234123458', symbology: 'EAN-13' }, 'text', /the check digit at the end does not fit, expected 7/],
    [{ text: 'a'.repeat(3000), symbology: 'PDF417' }, 'text', 'Contents: the text is too long for PDF417.'],
    [{ text: '(17)991399', symbology: 'GS1-128' }, 'text', 'Contents: the value of (17) has a month that is none.'],
    [{ text: 'a'.repeat(4001) }, 'text', 'Contents: expected at most 4000 characters, got 4001.'],
    [{ text: 'a', scale: 11 }, 'scale', /^Scale: expected a whole number from 1 to 10/],
    [{ text: 'a', symbology: 'QR' }, 'symbology', /^Symbology: expected one of Code 128, /],
  ] as const) {
    await assert.rejects(run(input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})
