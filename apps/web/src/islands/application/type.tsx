import { useEffect, useRef, useState } from 'react'
import { typeNames } from '../../application.ts'
import type { ApplicationModel, EmploymentType } from '../../page.ts'
import { ApplicationField } from './field.tsx'

const all: readonly EmploymentType[] = ['internship', 'full-time']

/**
 * The types that the position offers; all of them while none is chosen. A choice outlives a change of position (§4);
 * where the new position does not offer it, it stays in view, is invalid, and holds up the form (OPEN-088).
 */
export function ApplicationType({ role }: { role: ApplicationModel['roles'][number] | undefined }) {
  const select = useRef<HTMLSelectElement>(null)
  const [type, setType] = useState<EmploymentType>()
  const offered = role?.type ?? all
  const refused = type && !offered.includes(type) ? type : undefined

  useEffect(() => select.current?.setCustomValidity(refused ? askToChoose() : ''), [refused])

  const names = offered.map(name => typeNames[name].toLowerCase()).join(' or ')
  return (
    <ApplicationField name="applicationType" {...(role && { help: `${role.title}: ${names}.` })}>
      {common => (
        <select
          {...common}
          ref={select}
          className="input select"
          value={type ?? ''}
          onChange={event => setType(all.find(name => name === event.target.value))}
          aria-invalid={refused ? true : undefined}
          autoComplete="off"
        >
          <option value="">Select a type</option>
          {offered.map(name => (
            <option key={name} value={name}>
              {typeNames[name]}
            </option>
          ))}
          {refused && (
            <option value={refused} disabled>
              {typeNames[refused]} (not offered)
            </option>
          )}
        </select>
      )}
    </ApplicationField>
  )
}

/** The browser's own words for a select in which nothing is chosen, in the language it speaks. */
function askToChoose(): string {
  const select = document.createElement('select')
  select.required = true
  return select.validationMessage
}
