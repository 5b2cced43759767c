import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicSuffix, registrableDomain } from './suffix.ts'

// https://github.com/publicsuffix/list/blob/main/tests/test_psl.txt
test('the published tests of the Public Suffix List', () => {
  for (const [name, registrable] of [
    ['com', undefined],
    ['example.com', 'example.com'],
    ['b.example.com', 'example.com'],
    ['a.b.example.com', 'example.com'],
    ['biz', undefined],
    ['domain.biz', 'domain.biz'],
    ['jp', undefined],
    ['test.jp', 'test.jp'],
    ['ac.jp', undefined],
    ['www.test.ac.jp', 'test.ac.jp'],
    ['kyoto.jp', undefined],
    ['test.kyoto.jp', 'test.kyoto.jp'],
    ['ide.kyoto.jp', undefined],
    ['b.ide.kyoto.jp', 'b.ide.kyoto.jp'],
    ['c.kobe.jp', undefined],
    ['b.c.kobe.jp', 'b.c.kobe.jp'],
    ['city.kobe.jp', 'city.kobe.jp'],
    ['www.city.kobe.jp', 'city.kobe.jp'],
    ['www.ck', 'www.ck'],
    ['www.www.ck', 'www.ck'],
    ['test.ck', undefined],
    ['xn--85x722f.xn--55qx5d.cn', 'xn--85x722f.xn--55qx5d.cn'],
    ['www.xn--85x722f.xn--55qx5d.cn', 'xn--85x722f.xn--55qx5d.cn'],
  ] as const) {
    assert.equal(registrableDomain(name), registrable, name)
  }
})

test('names under private suffixes belong to whoever registered the suffix', () => {
  assert.equal(registrableDomain('user.github.io'), 'github.io')
  assert.equal(registrableDomain('shop.uk.com'), 'uk.com')
  assert.equal(publicSuffix('user.github.io'), 'io')
})

test('under a top-level domain that the list does not know, the last label is the suffix', () => {
  assert.equal(registrableDomain('www.good.test'), 'good.test')
})
