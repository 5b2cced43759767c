import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchPressure } from './pressure.ts'
import { trial } from './trial.ts'

/** Holds up everything in this process. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

const soon = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

test('a loop that lags is seen, and one that runs again too', async t => {
  const pressure = watchPressure(100)
  t.after(pressure.stop)
  assert.equal(pressure.isHigh(), false)
  for (let tries = 0; tries < 20 && !pressure.isHigh(); tries++) {
    block(400)
    await soon(1)
  }
  assert.equal(pressure.isHigh(), true)
  for (let tries = 0; tries < 40 && pressure.isHigh(); tries++) await soon(100)
  assert.equal(pressure.isHigh(), false)
})

test('C7, L7: an overloaded server turns work away with 503, but says that it lives and gives its pages', async t => {
  const app = await trial(t, { limits: { loopDelayMs: 100 } })
  let status = 200
  for (let tries = 0; tries < 20 && status === 200; tries++) {
    block(400)
    await soon(1)
    const answer = await app.inject({ method: 'POST', url: '/api/price/' })
    status = answer.statusCode
    if (status !== 200) assert.equal(answer.headers['retry-after'], '1')
  }
  assert.equal(status, 503)
  assert.equal((await app.inject('/healthz')).statusCode, 200)
  assert.notEqual((await app.inject('/assets/app.js')).statusCode, 503)
})
