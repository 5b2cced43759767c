import type { PropagationResult } from '@assay/catalogue/dns/propagation'
import { badge, mono, type Panel, panel } from '@assay/kit'
import { useState } from 'react'
import { Panels } from '../../panels/panel.tsx'
import type { ViewProps } from '../view.ts'
import { askHere, type BrowserAnswer, readableResolvers, sameRecords } from './browser-answers.ts'
import { otherMark, recordTypeMarks } from './record-type-marks.ts'

/** Whom the page asks when the visitor wants to see what this browser sees. */
export const connect = readableResolvers.map(({ url }) => new URL(url).origin)

type Section = Extract<Panel, { kind: 'section' }>

/** The panels of the tool, its resolvers as cards with a sign for the record type, and the view from this browser. */
export function View({ shown, panels }: ViewProps) {
  // The result of this very tool, made by its run or sent by the server.
  const { domain, record_type, resolvers = [], authority } = shown.result as PropagationResult
  const badges = new Map(
    panels.filter((each): each is Section => each.kind === 'section').map(each => [each.title, each]),
  )
  return (
    <>
      <Panels panels={panels.filter(({ kind }) => kind !== 'section')} />
      <FromHere key={`${domain} ${record_type}`} domain={domain} type={record_type} truth={authority?.values} />
      <div className="sections">
        {resolvers.map(({ resolver, values, ttl }) => (
          <section key={resolver} className="section">
            <div className="section-head">
              <h3>{resolver}</h3>
              <Badge panel={badges.get(resolver)} />
            </div>
            {values.length === 0 && <p className="empty">No records found for this resolver.</p>}
            <ul className="grid gap-2 p-3">
              {values.map(value => (
                <li key={value} className="flex flex-wrap items-center gap-2">
                  <RecordTypeMark type={record_type} />
                  <span className="mono min-w-0 break-all">{value}</span>
                  <span className="text-[13px] text-soft">{`${ttl ?? 0} s`}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

function Badge({ panel }: { panel: Section | undefined }) {
  if (!panel?.badge) return null
  return <span className={`badge ${panel.badge.tone ?? 'neutral'}`}>{panel.badge.text}</span>
}

/** Asked for by hand, because the providers then see the visitor. */
function FromHere({ domain, type, truth }: { domain: string; type: string; truth: readonly string[] | undefined }) {
  const [answers, setAnswers] = useState<readonly BrowserAnswer[] | 'waiting'>()
  const start = async () => {
    setAnswers('waiting')
    setAnswers(await askHere(domain, type))
  }
  if (Array.isArray(answers)) return <Panels panels={[tableOf(answers, truth)]} />
  return (
    <div className="panel flex flex-wrap items-center gap-3 px-5">
      <button type="button" className="button ghost small" disabled={answers === 'waiting'} onClick={start}>
        Ask from this browser
      </button>
      <p className="text-[13px] text-soft">
        What you yourself see: the questions leave from here, and{' '}
        {readableResolvers.map(({ name }) => name).join(' and ')} see your address.
      </p>
    </div>
  )
}

function tableOf(answers: readonly BrowserAnswer[], truth: readonly string[] | undefined): Panel {
  const state = ({ failure, values }: BrowserAnswer) => {
    if (failure) return badge('NO ANSWER', 'neutral')
    if (!truth) return badge('NOT COMPARED', 'neutral')
    return sameRecords(values, truth) ? badge('UP TO DATE', 'good') : badge('DIFFERS', 'warn')
  }
  return panel.table(
    ['Resolver', 'State', 'Value', 'TTL'],
    answers.map(answer => [
      answer.name,
      state(answer),
      mono(answer.failure ?? (answer.values.join(', ') || 'no records')),
      answer.ttl === null ? '' : mono(`${answer.ttl} s`),
    ]),
    { title: 'Seen from this browser' },
  )
}

/** A record type with a sign and colour of its own (specification §2, propagation); the word says the same. */
function RecordTypeMark({ type }: { type: string }) {
  const [color, path] = recordTypeMarks[type] ?? otherMark
  return (
    <span className="badge info inline-flex items-center gap-1.5">
      <svg
        viewBox="0 0 16 16"
        width={13}
        height={13}
        fill="none"
        stroke={color}
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        data-type={type}
      >
        <path d={path} />
      </svg>
      {type}
    </span>
  )
}
