import { assayCommand, curlCommand } from '../commands.ts'
import type { ToolModel } from '../page.ts'
import { root } from '../root.ts'
import { CopyButton } from '../ui/copy.tsx'
import { type Tab, Tabs } from '../ui/tabs.tsx'
import type { Run, ToolState } from './use-tool.ts'

/** This very run with the programs people have, over the API, with the command-line program, and as JSON. */
export function Commands({
  model,
  state: { action },
  run,
}: {
  model: ToolModel
  state: ToolState
  run: Extract<Run, { kind: 'done' }>
}) {
  const { terminal, result } = run.shown
  const tab = (name: string, text: string): Tab => ({ name, content: <Command name={name} text={text} /> })
  return (
    <Tabs
      label="The same elsewhere"
      tabs={[
        ...(terminal ? [tab('In a terminal', terminal.command)] : []),
        tab('API', curlCommand(model, action, run.raw, location.origin + root)),
        tab('assay', assayCommand(action, run.raw)),
        tab('JSON', JSON.stringify(result, null, 2)),
      ]}
    />
  )
}

function Command({ name, text }: { name: string; text: string }) {
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} about={name} />
    </div>
  )
}
