import { isShown } from '@assay/kit/read'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Raw } from '../api.ts'
import { fits } from '../check.ts'
import { explainFailure, type Failure, invalidInput, missingInput } from '../errors.ts'
import { formatName, mainField, readLink, writeLink } from '../link.ts'
import type { Shown } from '../message.ts'
import type { ActionModel, FieldModel, ToolModel } from '../page.ts'
import { createRunner, type Place, type Runner } from '../runner.ts'

export type FormValues = Readonly<Record<string, string | File>>

export type Run =
  | { kind: 'idle' }
  | { kind: 'running'; progress?: number | undefined; label?: string | undefined; shown?: Shown | undefined }
  | { kind: 'done'; shown: Shown; raw: Raw; place: Place; stale: boolean }
  | { kind: 'failed'; failure: Failure }

/** Everything that changes on a tool page, and what may change it. */
export interface ToolState {
  action: ActionModel
  values: FormValues
  run: Run
  place: Place
  runner: Runner
  set(name: string, value: string | File): void
  setPlace(place: Place): void
  fill(values: Readonly<Record<string, string>>): void
  start(): void
  cancel(): void
  switchTo(index: number, push: boolean): void
}

/** The values a form opens with. */
export function initialValues(tool: ToolModel, action: ActionModel): Record<string, string | File> {
  const values: Record<string, string | File> = {}
  for (const { name, kind, format, default: preset } of action.fields) {
    values[name] = name === tool.preset?.field ? tool.preset.value : String(preset ?? '')
    if (kind === 'bytes') values[formatName(name)] = format ?? ''
  }
  return values
}

/** The values that are sent: of the fields that are shown, with their formats. */
function rawOf(action: ActionModel, values: FormValues, trim: boolean): Raw {
  const raw: Record<string, string | File> = {}
  for (const field of shownFields(action, values)) {
    const value = values[field.name] ?? ''
    if (field.kind === 'file' && value === '') continue
    raw[field.name] = trim && typeof value === 'string' ? value.trim() : value
    const format = values[formatName(field.name)]
    if (field.kind === 'bytes' && format) raw[formatName(field.name)] = format
  }
  return raw
}

export function shownFields(action: ActionModel, values: FormValues): FieldModel[] {
  const fields = Object.fromEntries(action.fields.map(field => [field.name, field]))
  return action.fields.filter(field => isShown(fields, values, field))
}

const texts = (values: FormValues): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : '']))

export function useTool(tool: ToolModel): ToolState {
  const [index, setIndex] = useState(tool.current)
  const action = tool.actions[index] ?? tool.actions[0]
  if (!action) throw new TypeError('a tool has at least one action')
  const [values, setValues] = useState<FormValues>(() => initialValues(tool, action))
  const [run, setRun] = useState<Run>({ kind: 'idle' })
  const [place, setPlace] = useState<Place>(tool.runs === 'server' ? 'server' : 'browser')
  const runner = useMemo(() => createRunner(tool), [tool])
  const latest = useRef(0)

  async function start(from: FormValues = values): Promise<void> {
    if (!action) return
    const main = mainField(action.fields)
    const raw = rawOf(action, from, tool.words.errors === 'titled')
    const value = String((main && raw[main.name]) ?? '')
    const wrong = tool.words.errors === 'titled' && main ? refusal(tool, main, value) : undefined
    if (wrong) return setRun({ kind: 'failed', failure: wrong })
    latest.current += 1
    const number = latest.current
    const current = () => number === latest.current
    setRun({ kind: 'running' })
    history.replaceState(history.state, '', action.href + writeLink(tool, action, texts(from), false))
    try {
      const shown = await runner.run(place, action, raw, update => {
        if (current()) setRun(before => ({ ...(before.kind === 'running' && before), ...update, kind: 'running' }))
      })
      if (current()) setRun({ kind: 'done', shown, raw, place, stale: false })
    } catch (error) {
      if (current()) setRun({ kind: 'failed', failure: explainFailure(error, tool.words, value) })
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address the page was opened with counts
  useEffect(() => {
    const given = readLink(action.fields, location.search, location.hash)
    if (!Object.keys(given).length) return
    const restored = { ...initialValues(tool, action), ...given }
    setValues(restored)
    if (location.hash) history.replaceState(history.state, '', location.pathname + location.search)
    if (tool.runs === 'server' && mainField(action.fields)) void start(restored)
  }, [])

  function change(next: (before: FormValues) => FormValues): void {
    setValues(next)
    setRun(before =>
      before.kind === 'failed' ? { kind: 'idle' } : before.kind === 'done' ? { ...before, stale: true } : before,
    )
  }

  return {
    action,
    values,
    run,
    place,
    runner,
    set: (name, value) => change(before => ({ ...before, [name]: value })),
    setPlace(next) {
      setPlace(next)
      setRun({ kind: 'idle' })
    },
    fill: given => change(() => ({ ...initialValues(tool, action), ...withFiles(action, given) })),
    start: () => void start(),
    cancel() {
      latest.current += 1
      runner.cancel()
      setRun({ kind: 'idle' })
    },
    switchTo(next, push) {
      const to = tool.actions[next]
      if (!to || to === action) return
      setIndex(next)
      setValues(carried(tool, action, to, values, run))
      setRun({ kind: 'idle' })
      if (push) history.pushState({ action: next }, '', to.href)
      document.title = to.documentTitle
    },
  }
}

/** What a lookup page refuses before it asks (specification §5). */
function refusal({ words }: ToolModel, main: FieldModel, value: string): Failure | undefined {
  if (!value) return missingInput(words, main.name)
  if (words.mismatch && !fits(main.kind, value)) return invalidInput(words, main.name, main.placeholder ?? '')
  return undefined
}

/** An example's text for a file field becomes a file. */
function withFiles(action: ActionModel, given: Readonly<Record<string, string>>): FormValues {
  const files = new Set(action.fields.filter(({ kind }) => kind === 'file').map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, files.has(name) ? new File([text], 'example.txt') : text]),
  )
}

/** The form of the other direction: what both have in common, and the result as its input. */
function carried(tool: ToolModel, from: ActionModel, to: ActionModel, values: FormValues, run: Run): FormValues {
  const next = initialValues(tool, to)
  for (const name of Object.keys(next)) {
    const value = values[name]
    if (value !== undefined && value !== '') next[name] = value
  }
  if (run.kind !== 'done' || from.swap?.to !== to.name) return next
  const { result } = run.shown
  if (typeof result !== 'object' || result === null) return next
  const made = new Map<string, unknown>(Object.entries(result)).get(from.swap.from)
  if (made !== undefined) next[from.swap.into] = String(made)
  return next
}
