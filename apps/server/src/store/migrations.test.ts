import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { onBothStores } from '../../test/both-stores.ts'
import { createStore } from './store.ts'

const PROCESSES = 5
const TIMEOUT_MS = 20_000

/** A program that waits for a line, so that all begin at the same moment, then opens the store and writes. */
const program = (place: object, n: number) => `
  import { once } from 'node:events'
  import { createStore } from ${JSON.stringify(import.meta.resolve('./store.ts'))}
  const store = createStore({ ...${JSON.stringify(place)}, timeoutMs: ${TIMEOUT_MS}, connections: 1 })
  console.log('here')
  await once(process.stdin, 'data')
  await store.open()
  const message = { id: '${n}', created_at: 1, name: '', email: '', text: '' }
  await store.use(db => db.insertInto('message').values(message).execute())
  await store.close()
  process.exit(0)
`

onBothStores('the tables', newPlace => {
  test('Z3: five processes that start at the same moment make them once, and each can write', async t => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-migrations-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const place = { folder, address: undefined, ...(await newPlace()) }
    const children = Array.from({ length: PROCESSES }, (_, n) =>
      spawn(process.execPath, ['--input-type=module-typescript', '-e', program(place, n)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    )
    t.after(() => {
      for (const child of children) child.kill('SIGKILL')
    })
    const ended = Promise.all(children.map(child => once(child, 'exit')))
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))
    for (const { stdin } of children) stdin.write('go\n')
    assert.deepEqual(
      await ended,
      children.map(() => [0, null]),
    )
    const store = createStore({ ...place, timeoutMs: TIMEOUT_MS, connections: 1 })
    t.after(() => store.close())
    const rows = await store.use(db => db.selectFrom('message').select('id').orderBy('id').execute())
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['0', '1', '2', '3', '4'],
    )
    await store.close()
  })
})
