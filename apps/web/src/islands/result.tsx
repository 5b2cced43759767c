import type { Panel } from '@assay/kit'
import { type ComponentType, lazy, Suspense, useEffect, useMemo, useRef } from 'react'
import type { Shown } from '../message.ts'
import type { ToolModel } from '../page.ts'
import { Panels } from '../panels/panel.tsx'
import { formatDuration } from '../size.ts'
import { CopyButton } from '../ui/copy.tsx'
import type { ViewProps } from '../views/view.ts'
import { Commands } from './commands.tsx'
import { Drawing } from './drawing.tsx'
import type { ToolState } from './use-tool.ts'

const views = import.meta.glob<{ View?: ComponentType<ViewProps> }>('../views/*/*.tsx')

/** What a run gave: its head, its panels, and the same by other doors. */
export function Result({ model, state }: { model: ToolModel; state: ToolState }) {
  const { run } = state
  const shown = run.kind === 'done' || run.kind === 'running' ? run.shown : undefined
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (shown && card.current) bringIntoView(card.current)
  }, [shown])
  if (!shown) return null
  const [first, ...rest] = shown.panels
  const banner = first?.kind === 'banner' ? first : undefined
  return (
    <section ref={card} className="card" aria-label="Result">
      <Head banner={banner} shown={shown} state={state} />
      <Drawing shown={shown}>
        <Body model={model} shown={shown} panels={banner ? rest : shown.panels} />
      </Drawing>
      {run.kind === 'done' && <Commands model={model} state={state} run={run} />}
    </section>
  )
}

/** How much of a result must be in sight, in pixels, for the page to stay where it is. */
const IN_SIGHT = 140

function bringIntoView(card: HTMLElement): void {
  if (card.getBoundingClientRect().top < innerHeight - IN_SIGHT) return
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  card.scrollIntoView({ behavior: calm ? 'instant' : 'smooth', block: 'start' })
}

function Head({
  banner,
  shown,
  state: { run },
}: {
  banner: Extract<Panel, { kind: 'banner' }> | undefined
  shown: Shown
  state: ToolState
}) {
  const stale = run.kind === 'done' && run.stale
  const where = run.kind === 'done' && run.place === 'server' ? 'on the server' : 'in this browser'
  const words = run.kind === 'done' ? `${formatDuration(shown.milliseconds)} ${where}` : 'so far'
  return (
    <div className="result-head">
      <div className="min-w-0">
        <h2>{banner?.title ?? 'Result'}</h2>
        {banner?.detail && <p className="text-sm">{banner.detail}</p>}
        <p className="text-[13px] text-soft">{stale ? 'The input has changed since this run.' : words}</p>
      </div>
      <div className="flex items-center gap-2">
        {banner?.badge && <span className={`badge ${banner.tone}`}>{banner.badge}</span>}
        <CopyButton label="Copy as JSON" text={() => JSON.stringify(shown.result, null, 2)} />
      </div>
    </div>
  )
}

function Body({ model, shown, panels }: { model: ToolModel; shown: Shown; panels: readonly Panel[] }) {
  const View = useMemo(() => {
    const load = model.view ? views[`../views/${model.view}.tsx`] : undefined
    if (!load) return undefined
    return lazy(async () => ({ default: (await load()).View ?? PanelsOnly }))
  }, [model.view])
  if (!View) return <Panels panels={panels} />
  return (
    <Suspense fallback={<Panels panels={panels} />}>
      <View shown={shown} panels={panels} />
    </Suspense>
  )
}

/** A view that brings words alone draws its panels as any other tool does. */
const PanelsOnly = ({ panels }: ViewProps) => <Panels panels={panels} />
