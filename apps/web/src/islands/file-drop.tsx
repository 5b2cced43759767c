import { type DragEvent, useState } from 'react'
import type { FieldModel } from '../page.ts'
import { formatSize } from '../size.ts'
import { Icon } from '../ui/icon.tsx'

interface Props {
  field: FieldModel
  value: string | File
  set(name: string, value: string | File): void
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
}

/** A file, chosen or dropped. It is read as a stream when the tool runs, so its size does not matter here. */
export function FileDrop({ field, value, set, ...aria }: Props) {
  const [over, setOver] = useState(false)
  const file = typeof value === 'string' ? undefined : value
  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    const [dropped] = event.dataTransfer.files
    if (dropped) set(field.name, dropped)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row of a flex layout in every browser
    <div
      role="group"
      aria-label={field.label}
      className={`drop ${over ? 'over' : ''}`}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" size={18} />
      <p className="min-w-0 flex-1 basis-40 truncate">
        {file ? (
          <>
            <b className="font-medium text-ink">{file.name}</b> {formatSize(file.size)}
          </>
        ) : (
          'Drop a file here, or choose one. Any size.'
        )}
      </p>
      {file && (
        <button type="button" className="button ghost small" onClick={() => set(field.name, '')}>
          Remove
        </button>
      )}
      <span className="button ghost small drop-button">
        Choose file
        <input
          id={field.name}
          type="file"
          accept={field.accept}
          onChange={event => {
            const [chosen] = event.target.files ?? []
            if (chosen) set(field.name, chosen)
          }}
          {...aria}
        />
      </span>
    </div>
  )
}
