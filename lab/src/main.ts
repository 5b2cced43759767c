import { setTimeout } from 'node:timers/promises'
import { defaultFolder, exitCode, explain, find, type Lab, LabFailed, up, withLab } from './lab.ts'

const graceMs = 300

const usage = `usage: npm run lab -- up | run COMMAND | exec COMMAND | down

  up            build the lab and leave it running
  run COMMAND   build a lab of its own, run the command in it, take the lab down
  exec COMMAND  run a command in the lab that is up
  down          take the lab down

LAB_DIR names the folder of the lab; two labs in two folders run side by side.`

async function runIn(lab: Lab, line: readonly string[]): Promise<number> {
  const child = lab.enter(line)
  const pass = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, pass)
  const code = await exitCode(child)
  // When the lab dies it takes the command along, and is itself seen to be dead only a moment later.
  if (code > 128) await setTimeout(graceMs)
  return code
}

async function main([verb, ...rest]: readonly string[]): Promise<number> {
  const line = rest[0] === '--' ? rest.slice(1) : rest
  const folder = defaultFolder()
  if (verb === 'up' && line.length === 0) {
    await up(folder, { tied: false })
    console.log(`the lab is up in ${folder}`)
    return 0
  }
  if (verb === 'down' && line.length === 0) {
    const lab = find(folder)
    lab?.down()
    console.log(lab ? 'the lab is down' : `no lab is up in ${folder}`)
    return 0
  }
  if (verb === 'run' && line.length > 0) return withLab(lab => runIn(lab, line))
  if (verb === 'exec' && line.length > 0) {
    const lab = find(folder)
    if (!lab) throw new LabFailed(`no lab is up in ${folder}`)
    return runIn(lab, line)
  }
  console.error(usage)
  return 2
}

try {
  process.exit(await main(process.argv.slice(2)))
} catch (error) {
  process.exit(explain(error))
}
