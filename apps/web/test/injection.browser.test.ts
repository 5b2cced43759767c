import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { actions } from '@assay/catalogue/catalogue'
import { type Action, type Cell, defaultPanels, type Input, type Panel, panel, performed, type Tool } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import type { Page } from 'playwright-core'
import { toCsv } from '../src/csv.ts'
import { openSite, type Site } from './browser.ts'
import { injections } from './injections.ts'

interface Sample {
  tool: Tool
  action: Action
  input: Input
  result: unknown
}

const RUN_MS = 60_000
/** A whole catalogue of panels is drawn, perhaps on a busy machine. */
const DRAW_MS = 30_000
/** Under these names results hold words of the tool's own, which `show` looks up. */
const fixedWords: ReadonlySet<unknown> = new Set(
  'algorithm checksum curve decoded fits format found grade kind likelihood machine mode outcome output_format performance_grade png policy purpose result role scheme self_signed source state status strength style symbology ttl_class verdict words'.split(
    ' ',
  ),
)
/** A page that draws panels and has no view of its own. */
const PLAIN = '/dns-tools/http-headers/'
const views = new Set(globSync('apps/web/src/views/*/*.tsx').map(path => path.replace(/.*\/|\.tsx$/g, '')))

/** The first example of every action, with what it gives. */
async function samples(): Promise<Sample[]> {
  const all: Sample[] = []
  for (const { tool, action } of actions) {
    const [example] = action.examples
    if (!example) continue
    const ran = await performed(action, example.input, replay(example.recording ?? {}, AbortSignal.timeout(RUN_MS)))
    all.push({ tool, action, ...ran })
  }
  return all
}

type Path = readonly (string | number)[]

/** Where a result holds texts. */
function textsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, [...path, name]))
}

function replaced(value: unknown, text: string, [name, ...rest]: Path): unknown {
  if (name === undefined) return text
  if (Array.isArray(value)) return value.map((part, i) => (String(i) === name ? replaced(part, text, rest) : part))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === name ? replaced(part, text, rest) : part]),
  )
}

/** The result with the text in place of every text of its own that is not one of a fixed set of words. */
function poisoned(
  { action, input, result }: Sample,
  text: string,
  paths: readonly Path[],
): { result: unknown; panels: Panel[] } {
  const evil = paths.reduce<unknown>((all, path) => replaced(all, text, path), result)
  return { result: evil, panels: (action.show ?? defaultPanels)(evil, input) }
}

/** What panels hold when `show` handed on a word as a tone, a verdict or a file, or looked it up in a table that lacks it. */
const MISUSED = /"(?:tone|verdict|kind|base64)":"(?:word|__proto__)"|[[,:]\{\}|[[,]null|\[object |\[native code/

/** Texts that can be anything; the words of a fixed set come from the tool, from nobody else. */
function openTexts(sample: Sample): Path[] {
  return textsOf(sample.result).filter(path => {
    try {
      return !['word', '__proto__'].some(text => MISUSED.test(JSON.stringify(poisoned(sample, text, [path]).panels)))
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) return false
      throw error
    }
  })
}

/** What only markup in a text, or a text taken for an address, could have made of the page. */
const TRACES = `(() => {
  const traces = []
  if (window.ran !== undefined) traces.push('ran ' + window.ran)
  for (const element of document.querySelectorAll('main *')) {
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on')) traces.push(element.localName + ' ' + name)
      if (!/^(?:href|src|action|data|srcdoc|formaction)$/.test(name)) continue
      const { protocol, host } = URL.canParse(value, location) ? new URL(value, location) : {}
      const here = value.startsWith('data:image/') || protocol === 'blob:' || host === location.host
      if (!here && !(element.localName === 'a' && /^(?:https?|mailto):$/.test(protocol))) traces.push(element.localName + ' ' + name + '=' + value)
    }
  }
  return traces
})()`
const TAGS = `[...new Set([...document.querySelectorAll('main *')].map(element => element.localName))].sort()`

let site: Site
let all: Sample[]
const open = new Map<Sample, Path[]>()

/** Runs the form of the page with this answer in place of the server's, and waits until its last panel is drawn. */
async function draw(page: Page, result: unknown, panels: readonly Panel[]): Promise<void> {
  const end = `end ${++drawn}`
  const body = JSON.stringify({ result, panels: [...panels, panel.note('info', end)] })
  await page.unrouteAll()
  await page.route('**/api/**', route => route.fulfill({ contentType: 'application/vnd.assay+json', body }))
  await page.locator('form button[type=submit]').first().click()
  await page.getByText(end, { exact: true }).waitFor({ timeout: DRAW_MS })
}
let drawn = 0

describe('foreign text is text', () => {
  before(async () => {
    assert.equal(new Set(injections).size, 40)
    all = await samples()
    site = await openSite()
  })
  after(() => site.close())

  test('every text of every result can be foreign, but for the words of a fixed set', () => {
    const others: string[] = []
    for (const sample of all) {
      const free = openTexts(sample)
      open.set(sample, free)
      const known = new Set(free.map(path => path.join('/')))
      const fixed = textsOf(sample.result).filter(path => !known.has(path.join('/')))
      others.push(
        ...fixed
          .filter(path => !fixedWords.has(path.findLast(part => !/^\d+$/.test(String(part)))))
          .map(path => `${sample.tool.id}: ${path.join('.')}`),
      )
    }
    assert.deepEqual(others, [])
  })

  /** The page with its first field filled, drawing one answer after the other; nothing may be there but their words. */
  async function drawAll(path: string, value: string, answer: (text: string) => { result: unknown; panels: Panel[] }) {
    const { page, close } = await site.open(path)
    const dialogs: string[] = []
    page.on('dialog', dialog => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    const title = await page.title()
    await page.locator('form input, form textarea').first().fill(value)
    const plain = answer('word')
    await draw(page, plain.result, plain.panels)
    // The code of a view comes after its panels.
    await page.waitForLoadState('networkidle')
    const tags: string[] = await page.evaluate(TAGS)
    for (const text of injections) {
      const { result, panels } = answer(text)
      await draw(page, result, panels)
      assert.deepEqual(await page.evaluate(TRACES), [], text.slice(0, 80))
      const now: string[] = await page.evaluate(TAGS)
      assert.deepEqual(
        now.filter(tag => !tags.includes(tag)),
        [],
        text.slice(0, 80),
      )
    }
    assert.equal(await page.title(), title)
    assert.deepEqual(dialogs, [])
    await close()
  }

  test('forty injections in every text of every result add no element, run nothing and ask nobody', () =>
    drawAll(PLAIN, 'example.com', text => ({
      result: { text },
      panels: all.flatMap(sample => poisoned(sample, text, open.get(sample) ?? []).panels),
    })))

  for (const id of views) {
    test(`${id}: nor do they in its own view`, async () => {
      const sample = all.find(({ tool }) => tool.id === id)
      assert.ok(sample)
      const { tool, action, input } = sample
      const value = String(Object.values(action.examples[0]?.input ?? input)[0])
      await drawAll(`/${tool.category}/${action.path}/`, value, text => poisoned(sample, text, open.get(sample) ?? []))
    })
  }

  test('nor in what an error says, nor in a field filled by the address', async () => {
    const { page, close } = await site.open(PLAIN)
    const tags: string[] = await page.evaluate(TAGS)
    const texts = injections.map(text => text.toWellFormed())
    await page.goto(`${site.base}${PLAIN}?q=${encodeURIComponent(texts.join('').slice(0, 2_000))}`)
    await page.getByRole('alert').first().waitFor()
    for (const [i, text] of texts.entries()) {
      const body = JSON.stringify({ error: text, message: text, detail: `${text} end ${i}`, code: text, field: text })
      await page.unrouteAll()
      await page.route('**/api/**', route => route.fulfill({ status: 400, contentType: 'application/json', body }))
      await page.locator('form input').first().fill('example.com')
      await page.locator('form button[type=submit]').first().click()
      await page.getByText(`end ${i}`).first().waitFor()
      assert.deepEqual(await page.evaluate(TRACES), [], text)
      const now: string[] = await page.evaluate(TAGS)
      assert.deepEqual(
        now.filter(tag => !tags.includes(tag) && tag !== 'h2' && tag !== 'svg' && tag !== 'path'),
        [],
        text.slice(0, 80),
      )
    }
    await close()
  })

  test('no cell of a table as CSV begins as a formula does', () => {
    let cells = 0
    for (const text of injections) {
      for (const sample of all) {
        for (const { columns, rows } of tablesOf(poisoned(sample, text, open.get(sample) ?? []).panels)) {
          for (const cell of readCsv(
            toCsv(
              columns,
              rows.map(row => row.map(cellText)),
            ),
          ).flat()) {
            assert.doesNotMatch(cell, /^[=@\t\r\n＝＋－＠]|^[+-](?![\d.]+$)/, text)
            cells++
          }
        }
      }
    }
    assert.ok(cells > 10_000)
  })
})

const cellText = (cell: Cell): string => (typeof cell === 'object' ? cell.text : String(cell))

/** The tables among panels, those in sections too. */
function tablesOf(panels: readonly Panel[]): Extract<Panel, { kind: 'table' }>[] {
  return panels.flatMap(each => (each.kind === 'table' ? [each] : each.kind === 'section' ? tablesOf(each.panels) : []))
}

/** RFC 4180 §2, as a spreadsheet reads it. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, bare = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare)
    if (end === '\r\n') rows.push([])
  }
  return rows
}
