import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createRecord, decodeMessage, encodeMessage, type Message } from '@assay/lib/dns/message'
import { openDoor } from '../test/loopback.ts'
import { askInBulk, type BulkAnswer } from './bulk.ts'

/** A name server on loopback that answers each question with whatever messages the test makes of it. */
async function serve(t: TestContext, answer: (query: Message, asked: number) => Uint8Array[]): Promise<number> {
  const socket = createSocket('udp4')
  let asked = 0
  socket.on('message', (bytes, { port, address }) => {
    for (const message of answer(decodeMessage(bytes), asked++)) socket.send(message, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return socket.address().port
}

const reply = (query: Message, more: Partial<Message> = {}): Uint8Array =>
  encodeMessage({
    ...query,
    qr: true,
    answers: query.questions.map(({ name }) => createRecord('A', { name, ttl: 60 }, { address: '192.0.2.1' })),
    ...more,
  })

const names = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `n${i}.test.`, type: 'A' }))

async function collect(answers: AsyncIterable<BulkAnswer[]>): Promise<BulkAnswer[]> {
  const all: BulkAnswer[] = []
  for await (const batch of answers) all.push(...batch)
  return all
}

test('every question is answered once, over more questions than a socket keeps', async t => {
  const port = await serve(t, query => [reply(query)])
  const answers = await collect(askInBulk(openDoor(t), { address: '127.0.0.1', port }, names(20_000)))
  assert.equal(answers.length, 20_000)
  assert.equal(new Set(answers.map(({ question }) => question.name)).size, 20_000)
  assert.ok(answers.every(({ question, message }) => message?.answers[0]?.name === question.name))
})

test('answers that come while the caller is busy are not lost', async t => {
  const port = await serve(t, query => [reply(query)])
  const seen = new Set<string>()
  for await (const batch of askInBulk(openDoor(t), { address: '127.0.0.1', port }, names(300))) {
    for (const { question } of batch) seen.add(question.name)
    await setTimeout(5)
  }
  assert.equal(seen.size, 300)
})

test('silence is asked again, and given up in the end', async t => {
  const lost = new Set<string>()
  const port = await serve(t, query => {
    const name = query.questions[0]?.name ?? ''
    if (name === 'n7.test.' || !lost.has(name)) {
      lost.add(name)
      return []
    }
    return [reply(query)]
  })
  const answers = await collect(askInBulk(openDoor(t), { address: '127.0.0.1', port }, names(20), { timeoutMs: 60 }))
  assert.equal(answers.length, 20)
  assert.deepEqual(
    answers.filter(({ message }) => !message).map(({ question }) => question.name),
    ['n7.test.'],
  )
})

test('RFC 5452 §9.1: another id, another question and what is no response are ignored', async t => {
  const port = await serve(t, query => [
    reply(query, { id: query.id ^ 1 }),
    reply(query, { questions: [{ name: 'forged.test.', type: 'A', class: 'IN' }] }),
    reply(query, { qr: false }),
    new Uint8Array(5),
    reply(query),
  ])
  const answers = await collect(askInBulk(openDoor(t), { address: '127.0.0.1', port }, names(50)))
  assert.equal(answers.length, 50)
  assert.ok(answers.every(({ message }) => message?.qr && message.answers.length === 1))
})

test('a port that is closed, an address that is not allowed and a spent budget end it with a problem', async t => {
  const port = await serve(t, query => [reply(query)])
  await assert.rejects(collect(askInBulk(openDoor(t), { address: '127.0.0.1', port: 1 }, names(3))), {
    code: 'unreachable',
  })
  await assert.rejects(collect(askInBulk(openDoor(t, { settings: {} }), { address: '127.0.0.1' }, names(1))), {
    code: 'refused',
  })
  const poor = openDoor(t, { limits: { packets: 10 } })
  await assert.rejects(collect(askInBulk(poor, { address: '127.0.0.1', port }, names(100))), { code: 'limited' })
})

test('a caller that turns away closes the sockets', async t => {
  const port = await serve(t, query => [reply(query)])
  for await (const batch of askInBulk(openDoor(t), { address: '127.0.0.1', port }, names(10_000))) {
    assert.ok(batch.length > 0)
    break
  }
})
