import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fill } from './template.ts'

test('values and addresses of hosts', () => {
  assert.equal(
    fill('{{lab}}/x {{v4 www.good.test}} [{{v6 www.good.test}}]', { lab: '/tmp/lab' }),
    '/tmp/lab/x 26.3.0.10 [2a0f:1ab:3::10]',
  )
  assert.equal(fill('{{every-v4 dns.google}}', {}), '8.8.8.8, 8.8.4.4')
})

test('listening means both ports of every address', () => {
  assert.equal(fill('{{listen v4only.good.test}}', {}), 'listen 26.3.0.40:80; listen 26.3.0.40:443 ssl http2;')
})

test('what has no value is refused', () => {
  assert.throws(() => fill('{{lab}}', {}), /the template asks for lab, which has no value/)
  assert.throws(() => fill('{{v4 nobody.test}}', {}), /the lab has no host nobody\.test/)
  assert.throws(() => fill('{{v4 v6only.good.test}}', {}), /no value/)
  assert.throws(() => fill('{{v5 www.good.test}}', {}), /no value/)
})
