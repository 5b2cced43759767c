import { spawn } from 'node:child_process'

/** Runs a program to its end and gives its output; a failure carries what it said. */
export function command(
  program: string,
  args: readonly string[],
  { cwd, input }: { readonly cwd?: string; readonly input?: string } = {},
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = spawn(program, args, {
    ...(cwd && { cwd }),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  let output = ''
  let complaints = ''
  child.stdout?.setEncoding('utf8').on('data', text => {
    output += text
  })
  child.stderr?.setEncoding('utf8').on('data', text => {
    complaints += text
  })
  child.stdin?.end(input)
  child.on('error', reject)
  child.on('close', code => {
    if (code === 0) resolve(output)
    else reject(new Error(`${program} ${args.join(' ')} ended with ${code}: ${complaints || output}`))
  })
  return promise
}
