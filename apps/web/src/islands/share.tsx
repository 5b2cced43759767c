import { writeLink } from '../link.ts'
import type { ToolModel } from '../page.ts'
import { CopyButton } from '../ui/copy.tsx'
import type { ToolState } from './use-tool.ts'

/** Copies the address that opens this page with these values; secrets and files are never in it. */
export function ShareButton({ model, state }: { model: ToolModel; state: ToolState }) {
  const { action, values } = state
  if (!action.fields.some(({ secret, kind }) => !secret && kind !== 'file')) return null
  const typed = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  )
  return (
    <CopyButton
      className="button ghost"
      label="Copy link"
      title="A link that opens this page with these values. Secrets and files are not in it."
      text={() => location.origin + action.href + writeLink(model, action, typed, true)}
    />
  )
}
