import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '@assay/kit'
import { createKeyedSlots, createSlots } from './slots.ts'

const { signal } = new AbortController()

test('as many as there are slots, then in turn', async () => {
  const slots = createSlots(2)
  const first = await slots.take(signal)
  await slots.take(signal)
  const order: number[] = []
  const third = slots.take(signal).then(give => [order.push(3), give] as const)
  const fourth = slots.take(signal).then(give => [order.push(4), give] as const)
  await new Promise(setImmediate)
  assert.deepEqual(order, [])
  first()
  const [, give] = await third
  assert.deepEqual(order, [3])
  give()
  await fourth
  assert.deepEqual(order, [3, 4])
})

test('a slot given back twice is one slot', async () => {
  const slots = createSlots(1)
  const give = await slots.take(signal)
  give()
  give()
  const last = await slots.take(signal)
  let taken = false
  const waiting = slots.take(signal).then(() => {
    taken = true
  })
  await new Promise(setImmediate)
  assert.equal(taken, false)
  last()
  await waiting
})

test('nobody waits for ever', async () => {
  const busy = (error: unknown) => error instanceof Problem && error.code === 'busy'
  const slots = createSlots(1, 10)
  const give = await slots.take(signal)
  await assert.rejects(slots.take(signal), busy)
  give()
  await slots.take(signal)
  const keyed = createKeyedSlots(1, 10)
  await keyed.take('a', signal)
  await assert.rejects(keyed.take('a', signal), busy)
  await keyed.take('b', signal)
})

test('who leaves the line takes nothing', async () => {
  const slots = createSlots(1)
  const give = await slots.take(signal)
  const controller = new AbortController()
  const gone = new Error('gone')
  const waiting = slots.take(controller.signal)
  controller.abort(gone)
  await assert.rejects(waiting, error => error === gone)
  await assert.rejects(slots.take(controller.signal), error => error === gone)
  const next = slots.take(signal)
  give()
  await next
})

test('each key has its own slots, for as long as somebody uses it', async () => {
  const slots = createKeyedSlots(1)
  const give = await slots.take('a', signal)
  await slots.take('b', signal)
  const controller = new AbortController()
  const waiting = slots.take('a', controller.signal)
  controller.abort(new Error('gone'))
  await assert.rejects(waiting)
  const next = slots.take('a', signal)
  give()
  const giveNext = await next
  giveNext()
  giveNext()
  await slots.take('a', signal)
})
