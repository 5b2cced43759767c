import {
  defaultPanels,
  type Panel,
  Problem,
  perform,
  type Raw,
  type ServerContext,
  type Tool,
  type Update,
} from '@assay/kit'
import { complete, completionScripts } from './completion.ts'
import { actionsOf, helpOf, listing, overview } from './help.ts'
import { firstFile, hasFailure, printPanels } from './print.ts'
import { bold, dim, type Screen, safe, safeJson, safeLines } from './screen.ts'
import { type Line, parseLine, readValues, type Sources } from './values.ts'
import { type Entry, findAction, findTool, pathOf, searchActions, UsageError } from './words.ts'

/** What the command touches: a terminal, files and the network. */
export interface World extends Sources {
  screen: Screen
  out(text: string): void
  /** Messages for people beside the result. */
  note(text: string): void
  /** Shows how far a run is, in place; undefined where nobody watches. */
  progress?: ((text: string) => void) | undefined
  save(path: string, bytes: Uint8Array): Promise<void>
  /** The network and clock of one run. */
  job(tool: Tool): { context: ServerContext; dispose(): void }
}

/** Exit statuses: done; the question could not be asked or answered; the command line or the input is wrong. */
export const DONE = 0
export const FAILED = 1
export const USAGE = 2

/** The `assay` command: runs one tool on this machine and prints what it finds. */
export async function assay(words: readonly string[], world: World): Promise<number> {
  try {
    return await dispatch(words, world)
  } catch (error) {
    if (error instanceof UsageError) {
      world.note(error.message)
      return USAGE
    }
    if (!(error instanceof Problem)) throw error
    for (const text of [error.message, error.detail]) if (text) world.note(safe(text))
    return error.code === 'invalid-input' ? USAGE : FAILED
  }
}

async function dispatch(words: readonly string[], world: World): Promise<number> {
  const [first, ...rest] = words
  if (first === undefined || first === '--help' || first === '-h' || (first === 'help' && rest.length === 0)) {
    world.out(`${overview(world.screen)}\n`)
    return first === undefined ? USAGE : DONE
  }
  if (first === 'help') return dispatch([...rest, '--help'], world)
  if (first === 'list') return list(rest.join(' '), world)
  if (first === 'completion') return completion(rest[0], world)
  if (first === 'complete') {
    world.out(
      complete(rest[0] === '--' ? rest.slice(1) : rest)
        .map(word => `${word}\n`)
        .join(''),
    )
    return DONE
  }
  const found = findAction(words)
  if (!found) return unknown(words, world)
  const line = parseLine(found.entry.action, found.rest)
  if (!line.help) return run(found.entry, line, world)
  world.out(`${helpOf(found.entry, world.screen)}\n`)
  return DONE
}

function list(word: string, { out, screen }: World): number {
  const found = searchActions(word)
  out(found.length > 0 ? `${listing(found, screen)}\n` : '')
  return found.length > 0 ? DONE : FAILED
}

function completion(shell: string | undefined, { out }: World): number {
  const script = completionScripts[shell ?? '']
  if (!script) throw new UsageError(`There is a completion for ${Object.keys(completionScripts).join(' and ')}.`)
  out(script)
  return DONE
}

function unknown(words: readonly string[], { out, note, screen }: World): number {
  const names = words.filter(word => !word.startsWith('-'))
  const tool = findTool(names)
  if (tool) {
    const asked = words.some(word => word === '--help' || word === '-h')
    ;(asked ? out : note)(`${bold(screen, tool.title)} goes more than one way:\n${actionsOf(tool, screen)}\n`)
    return asked ? DONE : USAGE
  }
  note('There is no such tool.')
  const alike = searchActions(pathOf(names.slice(0, 1)))
  note(alike.length > 0 ? `Perhaps\n${listing(alike.slice(0, 5), screen)}` : 'assay --help lists them all.')
  return USAGE
}

async function run({ tool, action }: Entry, line: Line, world: World): Promise<number> {
  const raw = await readValues(action, line, world)
  const { input, result } = await performed(tool, action, raw, world)
  const panels = action.show?.(result, input) ?? defaultPanels(result)
  if (line.output !== undefined) await save(line.output, panels, world)
  if (line.json) world.out(`${safeJson(result)}\n`)
  else world.out(`${printPanels(panels, world.screen)}\n${terminalOf({ tool, action }, input, result, world.screen)}`)
  return line.exitCode && hasFailure(panels) ? FAILED : DONE
}

async function performed(tool: Tool, action: Entry['action'], raw: Raw, { job, progress }: World) {
  const { context, dispose } = job(tool)
  const updates = perform(action, raw, context)
  try {
    for (;;) {
      const { done, value } = await updates.next()
      if (done) return value
      progress?.(progressText(value))
    }
  } finally {
    dispose()
    progress?.('')
  }
}

const progressText = ({ progress, label }: Update) =>
  [progress === undefined ? '' : `${Math.round(progress * 100)}%`, safe(label ?? '')].filter(Boolean).join(' ')

async function save(path: string, panels: readonly Panel[], { save, note }: World): Promise<void> {
  const bytes = firstFile(panels)
  if (!bytes) throw new UsageError('The result holds no picture and no file to save.')
  await save(path, bytes)
  note(`Saved ${bytes.length} bytes.`)
}

/** The command of other programs, unless it would put a secret on the screen. */
function terminalOf({ action }: Entry, input: Raw, result: unknown, screen: Screen): string {
  const hasSecret = Object.entries(action.fields).some(([name, { secret }]) => secret && input[name] !== undefined)
  const terminal = hasSecret ? undefined : action.terminal?.({ ...input }, result)
  if (!terminal || terminal.command.length > screen.columns * 3) return ''
  return `\n${dim(screen, `In a terminal: ${safeLines(terminal.command)}`)}\n`
}
