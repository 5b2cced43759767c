import { addresses } from '../../account/addresses.ts'
import { readUsage, type UsageDay } from '../../account/records.ts'
import type { Session } from '../../account/session.ts'
import { Content, Section, useLoaded } from './section.tsx'

/** How much the account has asked in the last 30 days. */
export function UsageSection({ session }: { session: Session }) {
  const loading = useLoaded(session, addresses.usage, readUsage)
  return (
    <Section id="usage" title="Usage" about="Calls of tools with your API keys, over the last 30 days.">
      <Content loading={loading}>
        {days =>
          days.some(({ requests }) => requests > 0) ? (
            <Usage days={days} />
          ) : (
            <p className="empty">
              No requests in the last 30 days. Make a key and call a tool with it to see some here.
            </p>
          )
        }
      </Content>
    </Section>
  )
}

function Usage({ days }: { days: readonly UsageDay[] }) {
  const sum = (name: 'requests' | 'failures') => days.reduce((total, day) => total + day[name], 0)
  const requests = sum('requests')
  const failures = sum('failures')
  const most = days.reduce((best, day) => (day.requests > best.requests ? day : best))
  const words = `${count(requests, 'request')}, ${count(failures, 'failure')}; most on ${dayText(most.day)}: ${most.requests.toLocaleString()}.`
  return (
    <div className="usage">
      <p>{words}</p>
      <Plot days={days} most={most.requests} />
      <details>
        <summary>Day by day</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Requests</th>
              <th scope="col">Failures</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, requests, failures }) => (
              <tr key={day}>
                <th scope="row">{dayText(day)}</th>
                <td>{requests.toLocaleString()}</td>
                <td>{failures.toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}

const HEIGHT = 100
/** Of the place of a day, how much its bar fills. */
const WIDTH = 0.7
/** The least height of a bar, so that one request in a busy month is seen. */
const LEAST = 2

/** A bar for each day; its foot, in the colour of what went wrong, is the failures. The table beside it says the same. */
function Plot({ days, most }: { days: readonly UsageDay[]; most: number }) {
  const height = (value: number) => (value ? Math.max(LEAST, (value / most) * HEIGHT) : 0)
  return (
    <div className="usage-plot">
      <svg viewBox={`0 0 ${days.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label="Requests per day">
        {days.map(({ day, requests, failures }, index) => (
          <g key={day} transform={`translate(${index + (1 - WIDTH) / 2} 0)`}>
            <title>{`${dayText(day)}: ${count(requests, 'request')}, ${count(failures, 'failure')}`}</title>
            <rect className="usage-ground" width={WIDTH} height={HEIGHT} />
            <rect className="bar-fill" width={WIDTH} y={HEIGHT - height(requests)} height={height(requests)} />
            <rect className="usage-failed" width={WIDTH} y={HEIGHT - height(failures)} height={height(failures)} />
          </g>
        ))}
      </svg>
      <p>
        <span>{dayText(days[0]?.day)}</span>
        <span>{dayText(days.at(-1)?.day)}</span>
      </p>
    </div>
  )
}

const count = (number: number, word: string) => `${number.toLocaleString()} ${word}${number === 1 ? '' : 's'}`

/** A day is that of the server, UTC, whatever the clock of the visitor says. */
const dayText = (day = '') => {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return day
  return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
}
