import type { Traceroute, TracerouteHop } from '@assay/catalogue/network/traceroute'
import { Panels } from '../../panels/panel.tsx'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import type { ViewProps } from '../view.ts'

/** Drawing units; the picture grows and shrinks with the page. */
const WIDTH = 640
const HEIGHT = 180
const LEFT = 56
const BOTTOM = 24
const TOP = 12
const RIGHT = 12

/** The hops of traceroute, with their latency as a picture between the tiles and the list. */
export function View({ shown, panels }: ViewProps) {
  // The worker made it with the tool whose type this is.
  const { hops } = shown.result as Traceroute
  const tiles = panels.findIndex(({ kind }) => kind === 'tiles') + 1
  return (
    <>
      <Panels panels={panels.slice(0, tiles)} />
      {hops.filter(({ rtt }) => rtt !== null).length > 1 && (
        <ScrollBox tall={false} label="Picture of the latency">
          <Plot hops={hops} />
        </ScrollBox>
      )}
      <Panels panels={panels.slice(tiles)} />
    </>
  )
}

function Plot({ hops }: { hops: readonly TracerouteHop[] }) {
  const longest = Math.max(...hops.flatMap(({ probes }) => probes.map(({ rtt }) => rtt ?? 0)))
  const top = roundUp(longest * 1000) / 1000
  const count = Math.max(hops.length - 1, 1)
  const x = (index: number) => LEFT + (index / count) * (WIDTH - LEFT - RIGHT)
  const y = (seconds: number) => HEIGHT - BOTTOM - (seconds / top) * (HEIGHT - BOTTOM - TOP)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="my-4 w-full min-w-[34rem] text-ink"
      role="img"
      aria-label="Latency by hop"
    >
      <g stroke="var(--line)" strokeWidth="1">
        {[0, 0.5, 1].map(part => (
          <line key={part} x1={LEFT} x2={WIDTH - RIGHT} y1={y(part * top)} y2={y(part * top)} />
        ))}
      </g>
      <g fill="currentColor" fontSize="11" opacity="0.75">
        {[0, 0.5, 1].map(part => (
          <text key={part} x={LEFT - 6} y={y(part * top) + 4} textAnchor="end">
            {label(part * top * 1000)}
          </text>
        ))}
        {hops.map(({ hop }, index) => (
          <text key={hop} x={x(index)} y={HEIGHT - 6} textAnchor="middle">
            {hop}
          </text>
        ))}
      </g>
      {runsOf(hops).map(run => (
        <polyline
          key={run[0]?.index}
          points={run.map(({ index, rtt }) => `${x(index)},${y(rtt)}`).join(' ')}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="2"
          strokeLinejoin="round"
        />
      ))}
      {hops.map((hop, index) => (
        <g key={hop.hop} fill="var(--accent)">
          {hop.probes.map((probe, number) =>
            probe.rtt === null ? null : (
              // biome-ignore lint/suspicious/noArrayIndexKey: probes have no other name than their place
              <circle key={number} cx={x(index)} cy={y(probe.rtt)} r="2" opacity="0.5" />
            ),
          )}
          {hop.rtt !== null && (
            <circle cx={x(index)} cy={y(hop.rtt)} r="4">
              <title>{`${hop.hop}: ${hop.name ?? hop.ip}, ${(hop.rtt * 1000).toFixed(2)} ms`}</title>
            </circle>
          )}
        </g>
      ))}
    </svg>
  )
}

/** Stretches of hops that answered; a silent hop breaks the line. */
function runsOf(hops: readonly TracerouteHop[]): { index: number; rtt: number }[][] {
  const runs: { index: number; rtt: number }[][] = [[]]
  for (const [index, { rtt }] of hops.entries()) {
    if (rtt === null) runs.push([])
    else runs.at(-1)?.push({ index, rtt })
  }
  return runs.filter(run => run.length > 1)
}

/** The next 1, 2 or 5 with zeros: where an axis may end. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-6)))
  return ([1, 2, 5, 10].find(step => step * power >= value) ?? 10) * power
}

const label = (milliseconds: number) => `${Number(milliseconds.toPrecision(3))} ms`
