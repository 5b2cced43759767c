import type { ToolModel } from '../page.ts'
import type { Place } from '../runner.ts'
import type { ToolState } from './use-tool.ts'

const places: readonly { place: Place; label: string }[] = [
  { place: 'browser', label: 'In this browser' },
  { place: 'server', label: 'On the server' },
]

/** Where the next run happens. The server gets the input only when it was chosen here. */
export function PlaceSwitch({ model, state }: { model: ToolModel; state: ToolState }) {
  if (model.runs === 'server' && !model.here) return null
  return (
    <fieldset className="place-switch">
      <legend className="sr-only">Where to run</legend>
      {places.map(({ place, label }) => (
        <label key={place}>
          <input
            type="radio"
            name="where-to-run"
            value={place}
            checked={state.place === place}
            disabled={state.run.kind === 'running'}
            onChange={() => state.setPlace(place)}
          />
          {model.words.places?.[place] ?? label}
        </label>
      ))}
    </fieldset>
  )
}
