import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { suite, test } from 'node:test'
import { run } from './programs.ts'

/** A lab within the lab: what holds for the one holds for the other. */

const main = path.join(import.meta.dirname, '../src/main.ts')
const lab = (folder: string, ...args: string[]) => run('env', `LAB_DIR=${folder}`, process.execPath, main, ...args)

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lab-test-'))
  try {
    await work(folder)
  } finally {
    await lab(folder, 'down')
    fs.rmSync(folder, { recursive: true })
  }
}

suite('coming and going', () => {
  test('up, exec, down', () =>
    inFolder(async folder => {
      assert.deepEqual(await lab(folder, 'up'), { code: 0, output: `the lab is up in ${folder}\n`, complaints: '' })
      const asked = await lab(folder, 'exec', 'dig', '+short', 'www.good.test')
      assert.equal(asked.output, '26.3.0.10\n')
      assert.match((await lab(folder, 'up')).complaints, /^LAB FAILED: a lab is already up in /)
      assert.equal((await lab(folder, 'down')).output, 'the lab is down\n')
      const after = await lab(folder, 'exec', 'true')
      assert.deepEqual([after.code, after.complaints], [70, `LAB FAILED: no lab is up in ${folder}\n`])
    }))

  test('run passes on arguments, output and exit code, and keeps the folder one is in', () =>
    inFolder(async folder => {
      const script = 'echo "$1"; pwd; echo "$LAB_DIR" >&2; exit 7'
      const { code, output, complaints } = await lab(folder, 'run', '--', 'sh', '-c', script, 'sh', '--a b')
      assert.deepEqual(
        { code, output, complaints },
        {
          code: 7,
          output: `--a b\n${process.cwd()}\n`,
          complaints: `${folder}\n`,
        },
      )
    }))

  test('a command that is killed has the exit code a shell would give', () =>
    inFolder(async folder => {
      assert.equal((await lab(folder, 'run', 'sh', '-c', 'kill -KILL $$')).code, 137)
    }))

  test('when a server dies the lab dies with its log', () =>
    inFolder(async folder => {
      const script = `for each in /proc/[0-9]*; do
        if [ "$(cat $each/comm)" = nginx ]; then kill -KILL "\${each#/proc/}"; fi
      done 2>/dev/null; sleep 20; echo survived`
      const { code, output, complaints } = await lab(folder, 'run', 'sh', '-c', script)
      assert.equal(code, 70)
      assert.equal(output, '')
      assert.match(complaints, /LAB FAILED: the lab went down:.*nginx\S* on hosting ended: SIGKILL/s)
    }))

  test('without root, by a user namespace', async t => {
    const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups']
    if (process.getuid?.() !== 0) return t.skip('the lab around this one is such a lab')
    if ((await run('setpriv', ...nobody, 'test', '-r', main)).code !== 0)
      return t.skip('others cannot read this folder')
    const line = ['env', '-u', 'LAB_DIR', process.execPath, main, 'run', 'dig', '+short', 'www.good.test']
    const { code, output, complaints } = await run('setpriv', ...nobody, ...line)
    assert.deepEqual({ code, output, complaints }, { code: 0, output: '26.3.0.10\n', complaints: '' })
  })

  test('a folder that is not a lab is left alone', () =>
    inFolder(async folder => {
      fs.writeFileSync(path.join(folder, 'precious'), '')
      const { code, complaints } = await lab(folder, 'run', 'true')
      assert.deepEqual([code, complaints], [70, `LAB FAILED: ${folder} is not empty and not a lab's\n`])
      assert.deepEqual(fs.readdirSync(folder), ['precious'])
    }))

  test('without the programs: exit code 78 and the reason', async () => {
    const { code, complaints } = await run('env', 'PATH=/nowhere', process.execPath, main, 'run', 'true')
    assert.equal(code, 78)
    assert.match(complaints, /^LAB UNAVAILABLE: programs are missing: unshare nsenter /)
  })

  test('without namespaces: exit code 78 and the reason', async () => {
    const limit = 'echo 0 >/proc/sys/user/max_net_namespaces && exec "$0" "$@"'
    const { code, complaints } = await run(
      ...(['unshare', '--user', '--map-root-user', 'sh', '-c', limit, process.execPath, main, 'run', 'true'] as const),
    )
    assert.equal(code, 78)
    assert.match(complaints, /^LAB UNAVAILABLE: no namespaces here: /)
  })

  test('without a command: exit code 2 and the usage', async () => {
    for (const args of [[], ['run'], ['exec'], ['up', 'extra'], ['sideways']]) {
      const { code, complaints } = await run(process.execPath, main, ...args)
      assert.equal(code, 2)
      assert.match(complaints, /^usage: /)
    }
  })
})
