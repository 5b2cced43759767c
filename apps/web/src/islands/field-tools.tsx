import { formatName } from '../link.ts'
import { freshBytes, writable } from '../random.ts'
import { Icon } from '../ui/icon.tsx'
import type { FieldProps } from './field.tsx'

/** Shows what a hidden field holds, or hides it again. */
export function Reveal({
  label,
  hidden,
  setHidden,
}: {
  label: string
  hidden: boolean
  setHidden(hidden: boolean): void
}) {
  return (
    <button type="button" className="input-tool" onClick={() => setHidden(!hidden)}>
      <Icon name={hidden ? 'show' : 'hide'} size={16} />
      <span className="sr-only">
        {hidden ? 'Show' : 'Hide'} {label}
      </span>
    </button>
  )
}

/** Fills the field with fresh random bytes, in the format chosen for it. */
export function Generate({ field, values, set }: FieldProps) {
  const name = formatName(field.name)
  function fill() {
    const format = field.kind === 'bytes' ? writable(String(values[name] ?? ''), field.formats ?? []) : 'Hex'
    if (field.kind === 'bytes') set(name, format)
    set(field.name, freshBytes(field.generate ?? 0, format))
  }
  return (
    <button type="button" className="input-tool" onClick={fill} title={`${field.generate} random bytes`}>
      <Icon name="again" size={15} />
      <span className="sr-only">Generate {field.label}</span>
    </button>
  )
}

/** How the text of a byte field is to be read. */
export function FormatChoice({ field, values, set }: FieldProps) {
  if (field.kind !== 'bytes' || (field.formats?.length ?? 0) < 2) return null
  const name = formatName(field.name)
  return (
    <select
      id={name}
      className="format"
      aria-label={`Format of ${field.label}`}
      value={String(values[name] ?? '')}
      onChange={event => set(name, event.target.value)}
    >
      {field.formats?.map(format => (
        <option key={format}>{format}</option>
      ))}
    </select>
  )
}
