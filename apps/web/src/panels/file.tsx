import type { Panel } from '@assay/kit'
import { Download } from 'lucide-react'
import { formatSize } from '../size.ts'

/** A file to keep. */
export function FilePanel({ panel: { name, mediaType, base64 } }: { panel: Extract<Panel, { kind: 'file' }> }) {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  function save() {
    const address = URL.createObjectURL(new Blob([bytes], { type: mediaType }))
    const link = document.createElement('a')
    link.href = address
    link.download = name
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <div className="panel file">
      <Download size={18} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <b>{name}</b>
        <p>
          {mediaType}, {formatSize(bytes.length)}
        </p>
      </div>
      <button type="button" className="button ghost small" onClick={save}>
        Save {name}
      </button>
    </div>
  )
}
