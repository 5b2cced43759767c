import type { Panel, Terminal } from '@assay/kit'
import { Offline, Refusal } from './errors.ts'
import type { ActionModel, ToolModel } from './page.ts'
import { root } from './root.ts'

export type Raw = Readonly<Record<string, string | File>>

/** One request as it will be sent, so that the page can also show it as a command. */
export interface Call {
  method: 'GET' | 'POST'
  path: string
  /** Whose panels are wanted, where several tools answer at one address. */
  tool: string
  /** JSON values, or a form when a file is among them. */
  body?: Raw
}

/**
 * The request for a run: a lookup goes to that of its addresses which says most and leaves out what is preset, the
 * other fields follow as the query; anything else is posted to the address of the action.
 */
export function callOf(tool: ToolModel, action: ActionModel, raw: Raw): Call {
  const text = (name: string) => (typeof raw[name] === 'string' ? raw[name].trim() : '')
  const preset = (name: string) => String(action.fields.find(field => field.name === name)?.default ?? '')
  const fillable = tool.lookups
    .map(template => ({ template, names: [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name) }))
    .filter(({ names }) => names.every(text))
    .map(address => ({ ...address, chosen: address.names.filter(name => text(name) !== preset(name)).length }))
    .sort((a, b) => b.chosen - a.chosen || a.names.length - b.names.length)
  const [best] = fillable
  if (!best) return { method: 'POST', tool: tool.id, path: `/api/${action.path}/`, body: raw }
  const path = best.template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(text(name)))
  const query = new URLSearchParams()
  for (const { name } of action.fields) {
    const value = text(name)
    if (value && !best.names.includes(name) && value !== preset(name)) query.set(name, value)
  }
  return { method: 'GET', tool: tool.id, path: `/api/${path}/${query.size ? `?${query}` : ''}` }
}

/** What the server gives when asked for more than the result: how it is drawn, and the command that does the same. */
export interface ServerAnswer {
  result: unknown
  panels?: Panel[]
  terminal?: Terminal
}

export interface ServerUpdate {
  progress?: number
  label?: string
  partial?: unknown
  panels?: Panel[]
}

const DETAILED = 'application/vnd.assay+json'
const EVENTS = 'text/event-stream'

/** Sends a call and gives its answer. Updates arrive on the way where the server streams them. */
export async function send(
  call: Call,
  signal: AbortSignal,
  onUpdate: (update: ServerUpdate) => void,
): Promise<ServerAnswer> {
  const response = await answer(call, signal)
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && type.startsWith(EVENTS)) return readStream(response, onUpdate)
  const text = await response.text()
  if (!response.ok) throw new Refusal(response.status, response.statusText, text)
  const body: unknown = JSON.parse(text)
  if (type.startsWith(DETAILED)) return body as ServerAnswer
  if (call.method === 'POST' && saysError(body)) throw new Refusal(response.status, response.statusText, text)
  return { result: body }
}

async function answer({ method, path, tool, body }: Call, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { Accept: `${EVENTS}, ${DETAILED};tool=${tool}, application/json` }
  const hasFile = body && Object.values(body).some(value => value instanceof File)
  if (body && !hasFile) headers['Content-Type'] = 'application/json'
  try {
    return await fetch(root + path, {
      method,
      headers,
      signal,
      ...(body && { body: hasFile ? form(body) : JSON.stringify(body) }),
    })
  } catch (error) {
    if (signal.aborted) throw error
    throw new Offline(error)
  }
}

function form(body: Raw): FormData {
  const data = new FormData()
  // The server reads the fields first and the file as it streams in.
  const entries = Object.entries(body).sort(([, a], [, b]) => Number(a instanceof File) - Number(b instanceof File))
  for (const [name, value] of entries) data.append(name, value)
  return data
}

/** A posted tool may answer 200 with an error in place of a result (specification §7). */
const saysError = (result: unknown): boolean =>
  typeof result === 'object' &&
  result !== null &&
  'error' in result &&
  typeof result.error === 'string' &&
  result.error !== ''

/** Server-sent events: `progress` and `partial` as often as it likes, then `result` or `error`. */
async function readStream(response: Response, onUpdate: (update: ServerUpdate) => void): Promise<ServerAnswer> {
  if (!response.body) throw new TypeError('the stream has no body')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw new Offline(new TypeError('the stream ended before its result'))
    buffer += value
    const events = buffer.split('\n\n')
    buffer = events.pop() ?? ''
    for (const { event, data } of events.map(readEvent)) {
      if (event === 'result') return JSON.parse(data)
      if (event === 'error') throw streamedError(data)
      if (event === 'progress' || event === 'partial') onUpdate(JSON.parse(data))
    }
  }
}

function readEvent(text: string): { event: string; data: string } {
  const lines = text.split('\n')
  const field = (name: string) =>
    lines.filter(line => line.startsWith(`${name}:`)).map(line => line.slice(name.length + 1).replace(/^ /, ''))
  return { event: field('event').join('') || 'message', data: field('data').join('\n') }
}

function streamedError(data: string): Refusal {
  const parsed: unknown = JSON.parse(data)
  const status =
    typeof parsed === 'object' && parsed !== null && 'status' in parsed && typeof parsed.status === 'number'
      ? parsed.status
      : 500
  return new Refusal(status, '', data)
}
