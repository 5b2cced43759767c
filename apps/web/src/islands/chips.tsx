import { useState } from 'react'
import type { Case } from '../message.ts'
import type { ToolModel } from '../page.ts'
import { Icon } from '../ui/icon.tsx'
import type { ToolState } from './use-tool.ts'

/** Where the tool runs, and the button that checks it against its published examples, here and now. */
export function Chips({ model, state }: { model: ToolModel; state: ToolState }) {
  return (
    <div className="chips">
      {model.runs === 'server' ? (
        <span className="chip">Runs on the server</span>
      ) : state.place === 'browser' ? (
        <span className="chip good">Runs in your browser: nothing is sent</span>
      ) : (
        <span className="chip warn">On the server: your input is sent there</span>
      )}
      {model.vectors > 0 && <Verify model={model} state={state} />}
    </div>
  )
}

type Verdict = { kind: 'idle' } | { kind: 'running'; done: number } | { kind: 'done'; cases: readonly Case[] }

function Verify({ model, state }: { model: ToolModel; state: ToolState }) {
  const [verdict, setVerdict] = useState<Verdict>({ kind: 'idle' })
  const { vectors } = model
  const noun = vectors === 1 ? 'published example' : 'published examples'

  async function start() {
    setVerdict({ kind: 'running', done: 0 })
    try {
      const { verify } = await state.engine()
      const cases = await verify(({ progress = 0 }) =>
        setVerdict({ kind: 'running', done: Math.round(progress * vectors) }),
      )
      setVerdict({ kind: 'done', cases })
    } catch (error) {
      if (error instanceof Error && error.name === 'Cancelled') return setVerdict({ kind: 'idle' })
      setVerdict({ kind: 'done', cases: [{ from: 'This browser', passed: false, detail: 'could not run the tool' }] })
    }
  }

  if (verdict.kind === 'idle') {
    return (
      <button type="button" className="chip press" onClick={() => void start()}>
        {`Verify this tool: ${vectors} ${noun}`}
      </button>
    )
  }
  if (verdict.kind === 'running') {
    return (
      <span className="chip" role="status">
        Verifying, {verdict.done} of {vectors}
      </span>
    )
  }
  const failed = verdict.cases.filter(({ passed }) => !passed)
  const passed = verdict.cases.length - failed.length
  return (
    <>
      <span className={`chip ${failed.length ? 'bad' : 'good'}`} role="status">
        <Icon name={failed.length ? 'warning' : 'check'} size={13} />
        {passed} of {verdict.cases.length} passed in this browser
      </span>
      {failed.map(({ from, detail }) => (
        <span key={`${from} ${detail}`} className="chip bad">
          {from}: {detail}
        </span>
      ))}
    </>
  )
}
