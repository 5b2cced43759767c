import fs from 'node:fs'
import { defaultFolder, exitCode, find, type Lab, LabFailed, LabUnavailable, ownFolder, up } from './lab.ts'

const usage = `usage: npm run lab -- up | run COMMAND | exec COMMAND | down

  up            build the lab and leave it running
  run COMMAND   build a lab of its own, run the command in it, take the lab down
  exec COMMAND  run a command in the lab that is up
  down          take the lab down

LAB_DIR names the folder of the lab; two labs in two folders run side by side.`

async function runInOwnLab(line: readonly string[]): Promise<number> {
  const folder = ownFolder()
  let lab: Lab | undefined
  try {
    lab = await up(folder, { tied: true })
    return await runIn(lab, line)
  } finally {
    lab?.down()
    if (process.env.LAB_DIR === undefined) fs.rmSync(folder, { recursive: true, force: true })
  }
}

async function runIn(lab: Lab, line: readonly string[]): Promise<number> {
  const child = lab.enter(line)
  const pass = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, pass)
  const dead = lab.ended.then(log => {
    throw new LabFailed(`the lab went down:\n${log}`)
  })
  return Promise.race([exitCode(child), dead])
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
  if (verb === 'run' && line.length > 0) return runInOwnLab(line)
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
  if (error instanceof LabUnavailable) {
    console.error(`LAB UNAVAILABLE: ${error.message}`)
    process.exit(78)
  }
  if (error instanceof LabFailed) {
    console.error(`LAB FAILED: ${error.message}`)
    process.exit(70)
  }
  throw error
}
