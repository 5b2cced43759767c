import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { actions, catalogue, toolsOf } from '@assay/catalogue/catalogue'
import { type FieldData, isShown } from '@assay/kit'
import { dist } from '../bundle.ts'
import { ensureBuilt, read } from './built.ts'

const page = (path: string) => read(`${path}index.html`)
const plain = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
const formOf = (html: string) => /<form class="tool-form".*?<\/form>/s.exec(html)?.[0] ?? ''
const idOf = (html: string): string => JSON.parse(/id="tool-data">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}').id
/** The paragraphs below "What is …?", without those of the specifications. */
const proseOf = (html: string) => plain(/<section[^>]*aria-labelledby="what-is">.*?<\/section>/s.exec(html)?.[0] ?? '')

/** The inputs of a form by name, each by what HTML calls it. The formats of byte fields stand beside their fields. */
function inputsOf(html: string): Record<string, string> {
  const controls = [...formOf(html).matchAll(/<(input|textarea|select)\b([^>]*)>/g)].map(
    ([, tag = '', attributes = '']) => [
      / id="([^"]*)"/.exec(attributes)?.[1] ?? '',
      / class="format"/.test(attributes)
        ? 'format'
        : tag === 'input'
          ? (/ type="(\w+)"/.exec(attributes)?.[1] ?? '')
          : tag,
    ],
  )
  return Object.fromEntries(controls.filter(([id, kind]) => id && kind !== 'format'))
}

function widgetOf({ type, kind, secret }: FieldData): string {
  if (kind === 'flag') return 'checkbox'
  return type === 'text' && secret ? 'password' : type
}

describe('tool pages', () => {
  before(ensureBuilt)

  for (const [path, id] of [
    ['/hash-generators-and-checksum/md5/', 'md5'],
    ['/hash-generators-and-checksum/bcrypt/verify/', 'bcrypt'],
    ['/encryption-and-decryption/3des/decrypt/', '3des'],
    ['/digital-signatures-and-key-management/totp-hotp/hotp/', 'totp-hotp'],
    ['/encoding-and-decoding/unicode/utf8/', 'unicode'],
    ['/cipher-tools-and-simulators/atbash/', 'atbash'],
    ['/certificate-and-pki-tools/csr-generator/', 'csr-generator'],
    ['/web3-and-blockchain/abi-encode/decode/', 'abi-encode'],
  ] as const) {
    test(`[CRY-001] ${path} is the page of ${id}`, () => assert.equal(idOf(page(path)), id))
  }

  test('[OPEN-074] every action has one address, of its tool or one part below it, and no other form is a page', () => {
    const paths = actions.map(({ tool, action }) => `/${tool.category}/${action.path}/`)
    assert.deepEqual(paths, [...new Set(paths)])
    for (const { tool, action } of actions) {
      const path = `/${tool.category}/${tool.path}/${action.name ? `${action.name}/` : ''}`
      assert.equal(idOf(page(path)), tool.id, path)
      const oneWay = tool.actions.some(({ name }) => name === '')
      assert.equal(existsSync(`${dist}${tool.category}/${tool.path}/index.html`), oneWay, tool.id)
    }
    for (const { tool } of actions.filter(({ tool }) => tool.runs === 'anywhere' && tool.actions.length === 1)) {
      for (const part of ['encode', 'encrypt', 'generate', 'hash']) {
        assert.ok(!existsSync(`${dist}${tool.category}/${tool.path}/${part}/index.html`), tool.id)
      }
    }
  })

  test('[CRY-003] each page has one input for each field of the definition that counts as the page opens', () => {
    for (const { tool, action } of actions) {
      const shown = Object.entries(action.fields).filter(([, field]) => isShown(action.fields, {}, field))
      const inputs = inputsOf(page(`/${tool.category}/${action.path}/`))
      assert.deepEqual(inputs, Object.fromEntries(shown.map(([name, field]) => [name, widgetOf(field)])), action.path)
    }
  })

  for (const [row, path, field, widget] of [
    ['[CRY-009]', '/certificate-and-pki-tools/csr-generator/', 'common_name', 'text'],
    ['[CRY-010]', '/hash-generators-and-checksum/md5/', 'input_text', 'textarea'],
    ['[CRY-011]', '/hash-generators-and-checksum/scrypt/', 'dklen', 'number'],
    ['[CRY-012]', '/certificate-and-pki-tools/csr-generator/', 'email', 'email'],
    ['[CRY-013]', '/hash-generators-and-checksum/bcrypt/hash/', 'password', 'password'],
    ['[CRY-014]', '/hash-generators-and-checksum/file-checksum/', 'file', 'file'],
  ] as const) {
    test(`${row} ${widget} is a type of field: ${field}`, () => assert.equal(inputsOf(page(path))[field], widget))
  }

  for (const [path, field, placeholder] of [
    ['/tools/traceroute/', 'target', 'example.com or 8.8.8.8'],
    ['/tools/dot-support/', 'ip', '8.8.8.8'],
    ['/tools/dmarc/', 'domain', 'example.com'],
    ['/tools/url-monitor/', 'url', 'https://example.com'],
  ] as const) {
    test(`[GEN-002] ${path} has one text input, whose placeholder is ${placeholder}`, () => {
      assert.deepEqual(inputsOf(page(path)), { [field]: 'text' })
      assert.match(formOf(page(path)), new RegExp(` id="${field}"[^>]* placeholder="${placeholder}"`))
    })
  }

  test('[GEN-007] the page of traceroute says what traceroute is', () => {
    assert.match(proseOf(page('/tools/traceroute/')), /^What is Traceroute\? Between this server and the host/)
  })

  test('[OPEN-096] a tool has the same name in the bar, in the grid and as heading', () => {
    const named = (html: string, part: RegExp) =>
      [...html.matchAll(part)].flatMap(([markup]) =>
        [...markup.matchAll(/<a href="(\/dns-tools\/[^"]+)"[^>]*>([^<]+)/g)].map(
          ([, href = '', name = '']) => [href.replace(/\/?$/, '/'), name] as const,
        ),
      )
    const names = Object.fromEntries(named(page('/dns-tools/'), /<main.*<\/main>/gs))
    assert.equal(Object.keys(names).length, 20)
    for (const [href, name] of Object.entries(names)) {
      assert.match(name, /^[A-Z][A-Za-z]+( [A-Za-z]+)*$/)
      assert.match(page(href), new RegExp(`<h1[^>]*>${name}</h1>`), href)
      const related = named(page(href), /<aside.*?<\/aside>/gs)
      assert.equal(related.length, 19)
      for (const [other, called] of related) assert.equal(called, names[other], `${href} to ${other}`)
    }
    const bar = named(page('/'), /<ul id="menu-dns-tools".*?<\/ul>/gs)
    assert.equal(bar.length, 4)
    for (const [href, name] of bar) assert.equal(name, names[href])
  })

  test('[OPEN-097] what a tool is, is said in sentences of its own', () => {
    const texts = catalogue.map(({ title, category, actions }) => {
      const text = proseOf(page(`/${category}/${actions[0]?.path}/`))
      assert.ok(text.startsWith(`What is ${title.replaceAll('&', '&amp;')}? `), title)
      return text.slice(`What is ${title}? `.length)
    })
    for (const text of texts) assert.ok((text.match(/[.!?](?= |$)/g) ?? []).length >= 2, text.slice(0, 80))
    const sentences = texts.map(text => text.split(/(?<=[.!?]) /)[0])
    assert.deepEqual(sentences, [...new Set(sentences)])
  })

  for (const [path, words] of [
    ['/hash-generators-and-checksum/md5/', /How it breaks Collisions were found in 2004/],
    ['/hash-generators-and-checksum/sha/', /SHA-1 fell in 2017/],
    ['/encryption-and-decryption/des/encrypt/', /For anything new use AES .*The key is too short\./],
    ['/encryption-and-decryption/3des/encrypt/', /For anything new use AES .*block of 64 bits is too short\./],
    ['/encryption-and-decryption/rc4/encrypt/', /Today it is banned from TLS .*For anything new use ChaCha20-Poly1305/],
    ['/encryption-and-decryption/blowfish/encrypt/', /Use AES in GCM mode .* for anything new\./],
    ['/encryption-and-decryption/cast5/encrypt/', /For anything new use AES .*block of 64 bits is too short/],
    ['/digital-signatures-and-key-management/dsa/sign/', /does not allow DSA for new signatures any more\./],
  ] as const) {
    test(`[OPEN-078] ${path} says why not to use it anew`, () => assert.match(proseOf(page(path)), words))
  }

  test('[OPEN-078] attack demos reach nothing: they run where the visitor is, on what was typed', () => {
    const demos = toolsOf('attack-demos-and-analysis')
    assert.ok(demos.length >= 4)
    for (const { id, runs, lookups, actions } of demos) {
      assert.deepEqual([runs, lookups], ['anywhere', undefined], id)
      const kinds = actions.flatMap(({ fields }) => Object.values(fields).map(({ kind }) => kind))
      assert.ok(!kinds.some(kind => ['domain', 'ip', 'host', 'holding', 'url'].includes(kind)), id)
    }
  })
})
