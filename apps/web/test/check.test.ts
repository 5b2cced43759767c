import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from '@assay/catalogue/catalogue'
import { fits } from '../src/check.ts'

const accepts = (kind: Parameters<typeof fits>[0], values: readonly string[]) => {
  for (const value of values) assert.equal(fits(kind, value), true, value)
}
const rejects = (kind: Parameters<typeof fits>[0], values: readonly string[]) => {
  for (const value of values) assert.equal(fits(kind, value), false, value)
}

test('[VAL-001] [VAL-002] [VAL-003] [VAL-004] a domain has labels, dots and a top-level part of letters', () => {
  accepts('domain', [' example.com ', 'a-1.com', 'sub.example.co', 'example.com.'])
  rejects('domain', ['example', 'example.c', 'exa mple.com', 'example.c0', 'https://example.com', 'example.com/a', ''])
})

test('[OPEN-037] other scripts, A-labels and underscore labels pass, labels over 63 do not', () => {
  accepts('domain', ['münchen.example', 'пример.рф', 'example.xn--p1ai', '_dmarc.example.com', 'example。com'])
  rejects('domain', [`${'a'.repeat(64)}.com`, `${'a.'.repeat(130)}com`])
})

test('[VAL-005] [VAL-006] [OPEN-038] every real address passes, impossible ones do not', () => {
  accepts('ip', ['8.8.8.8', '2001:4860:4860:0:0:0:0:8888', '2001:db8::1', '::1', '::ffff:192.0.2.1'])
  rejects('ip', ['8.8.8', '8.8.8.8.8', '8888.1.1.1', '999.1.1.1', '1:2:3:4:5:6:7:8:9', 'example.com', ':::'])
})

test('[VAL-008] [VAL-009] [VAL-010] a host is either of the two', () => {
  accepts('host', ['8.8.8.8', 'example.com', '2001:db8::1'])
  rejects('host', ['x y', 'abc', ''])
})

test('[VAL-011] [VAL-012] [VAL-013] [OPEN-039] a web address has an optional scheme, a dotted host and a simple path', () => {
  accepts('url', ['example.com', 'http://example.com', 'https://example.com/a/b', 'https://example.com/a-b/c.html'])
  rejects('url', ['ftp://example.com', 'http://localhost', 'https://example.com/?q=1', 'https://example.com/#a'])
})

test('[OPEN-082] every placeholder of a name or address passes its own check', () => {
  for (const { actions } of catalogue) {
    for (const { path, fields } of actions) {
      for (const [name, { kind, placeholder = '' }] of Object.entries(fields)) {
        if (!['domain', 'ip', 'host', 'url'].includes(kind)) continue
        for (const value of placeholder.split(' or ')) assert.ok(fits(kind, value), `${path} ${name}: ${placeholder}`)
      }
    }
  }
})
