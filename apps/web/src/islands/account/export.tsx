import { useState } from 'react'
import { addresses } from '../../account/addresses.ts'
import { notify } from '../../account/notices.ts'
import type { Session } from '../../account/session.ts'
import { FAILED, refusal } from '../../account/words.ts'
import { Section } from './section.tsx'

/** Everything that is kept about the account, as a file. */
export function ExportSection({ session }: { session: Session }) {
  const [busy, setBusy] = useState(false)
  async function download() {
    if (busy) return
    setBusy(true)
    const answer = await session.call(addresses.export)
    setBusy(false)
    if (!answer.ok || answer.body === undefined) return notify({ kind: 'error', text: refusal(answer, FAILED) })
    save(`${JSON.stringify(answer.body, null, 2)}\n`)
  }
  return (
    <Section id="export" title="Your Data" about="Everything that is kept about your account, as one JSON file.">
      <div className="account-action">
        <button type="button" className="button ghost" aria-disabled={busy} onClick={() => void download()}>
          {busy ? 'Collecting…' : 'Download as JSON'}
        </button>
      </div>
    </Section>
  )
}

function save(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'account.json'
  link.click()
  URL.revokeObjectURL(address)
}
