import { useEffect, useRef, useState } from 'react'
import type { Raw } from '../api.ts'
import type { Engine } from '../engine.ts'
import type { Failure } from '../errors.ts'
import { exampleValues, type FormValues, initialValues, rawOf, swappedValues, texts } from '../form.ts'
import { mainField, readLink, writeLink } from '../link.ts'
import type { Shown } from '../message.ts'
import type { ActionModel, ToolModel } from '../page.ts'
import type { Place } from '../runner.ts'

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
  /** Loads what a run needs, ahead of the run. */
  warm(): void
  engine(): Promise<Engine>
  set(name: string, value: string | File): void
  setPlace(place: Place): void
  fill(example: Readonly<Record<string, string>>): void
  start(): void
  cancel(): void
  switchTo(index: number, push: boolean): void
}

export function useTool(tool: ToolModel): ToolState {
  const [index, setIndex] = useState(tool.current)
  const action = tool.actions[index] ?? tool.actions[0]
  if (!action) throw new TypeError('a tool has at least one action')
  const [values, setValues] = useState<FormValues>(() => initialValues(tool, action))
  const [run, setRun] = useState<Run>({ kind: 'idle' })
  const [place, setPlace] = useState<Place>(tool.runs === 'server' ? 'server' : 'browser')
  const latest = useRef(0)
  const loading = useRef<Promise<Engine>>(undefined)

  function engine(): Promise<Engine> {
    loading.current ??= import('../engine.ts').then(({ createEngine }) => createEngine(tool))
    return loading.current
  }

  async function start(action: ActionModel, from: FormValues): Promise<void> {
    latest.current += 1
    const number = latest.current
    const settle = (next: Run) => {
      if (number === latest.current) setRun(next)
    }
    const { refuse, explain, ...runner } = await engine()
    const main = mainField(action.fields)
    const raw = rawOf(tool, action, from)
    const value = String((main && raw[main.name]) ?? '')
    const refused = main && refuse(main, value, place)
    if (refused) return settle({ kind: 'failed', failure: refused })
    settle({ kind: 'running' })
    history.replaceState(history.state, '', action.href + writeLink(tool, action, texts(from), false))
    // An update that has found nothing new leaves what was found before.
    let sofar: Shown | undefined
    try {
      const shown = await runner.run(place, action, raw, update => {
        sofar = update.shown ?? sofar
        settle({ kind: 'running', ...update, shown: sofar })
      })
      settle({ kind: 'done', shown, raw, place, stale: false })
    } catch (error) {
      settle({ kind: 'failed', failure: explain(error, value) })
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address the page was opened with counts
  useEffect(() => {
    const given = readLink(action.fields, location.search, location.hash)
    if (!Object.keys(given).length) return
    const restored = { ...initialValues(tool, action), ...given }
    setValues(restored)
    if (location.hash) history.replaceState(history.state, '', location.pathname + location.search)
    if (tool.runs === 'server' && mainField(action.fields)) void start(action, restored)
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
    engine,
    warm() {
      if (loading.current) return
      void Promise.all([engine().then(({ warm }) => warm()), import('./result.tsx')])
    },
    set: (name, value) => change(before => ({ ...before, [name]: value })),
    setPlace(next) {
      setPlace(next)
      setRun({ kind: 'idle' })
    },
    fill: example => change(() => exampleValues(tool, action, example)),
    start: () => void start(action, values),
    cancel() {
      latest.current += 1
      void engine().then(({ cancel }) => cancel())
      setRun({ kind: 'idle' })
    },
    switchTo(next, push) {
      const to = tool.actions[next]
      if (!to || to === action) return
      latest.current += 1
      setIndex(next)
      setValues(swappedValues(tool, { from: action, to }, values, run.kind === 'done' ? run.shown.result : undefined))
      setRun({ kind: 'idle' })
      if (push) history.pushState({ action: next }, '', to.href)
      document.title = to.documentTitle
    },
  }
}
