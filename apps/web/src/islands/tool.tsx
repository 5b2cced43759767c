import { lazy, Suspense, useEffect, useRef } from 'react'
import type { ToolModel } from '../page.ts'
import { ActionTabs, VariantTabs } from './action-tabs.tsx'
import { Chips } from './chips.tsx'
import { FailureBox } from './failure-box.tsx'
import { Progress } from './progress.tsx'
import { ToolForm } from './tool-form.tsx'
import { type ToolState, useTool } from './use-tool.ts'

const Result = lazy(async () => ({ default: (await import('./result.tsx')).Result }))

/** A tool that can be used: what it is called, the form, and what came of it. */
export function Tool({ model }: { model: ToolModel }) {
  const state = useTool(model)
  const { action, run } = state
  useHistory(model, state)
  const focus = useFailureFocus(state)
  return (
    <>
      <header className="tool-head">
        <nav aria-label="Breadcrumb" className="crumb">
          <a href={model.category.href}>{model.category.title}</a> / <span aria-current="page">{action.title}</span>
        </nav>
        <h1 className="title">{action.title}</h1>
        <p className="lead">{action.summary}</p>
        <Chips model={model} state={state} />
        {model.caution && <p className="caution">{model.caution}</p>}
      </header>
      {model.actions.length > 1 && <ActionTabs model={model} state={state} />}
      {model.variants.length > 0 && <VariantTabs model={model} />}
      <ToolForm model={model} state={state} formRef={focus} />
      {run.kind === 'failed' && <FailureBox failure={run.failure} style={model.words.errors} />}
      <p className="sr-only" role="status">
        {run.kind === 'done' && 'The result is ready.'}
      </p>
      {run.kind === 'running' && <Progress run={run} words={model.words} onCancel={state.cancel} />}
      {(run.kind === 'done' || (run.kind === 'running' && run.shown)) && (
        <Suspense fallback={null}>
          <Result model={model} state={state} />
        </Suspense>
      )}
    </>
  )
}

/** Back and forward move between the directions of a tool without leaving the page. */
function useHistory(model: ToolModel, state: ToolState): void {
  const latest = useRef(state)
  latest.current = state
  useEffect(() => {
    const onPop = () => {
      const index = model.actions.findIndex(({ href }) => href === location.pathname)
      if (index >= 0) latest.current.switchTo(index, false)
    }
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [model])
}

/** After a failed run the focus goes to the field that is wrong, or to the words that say why. */
function useFailureFocus({ run }: ToolState) {
  const form = useRef<HTMLFormElement>(null)
  const failure = run.kind === 'failed' ? run.failure : undefined
  useEffect(() => {
    if (!failure) return
    const field = failure.field ? form.current?.querySelector<HTMLElement>(`#${CSS.escape(failure.field)}`) : undefined
    ;(field ?? document.getElementById('failure'))?.focus()
  }, [failure])
  return form
}
