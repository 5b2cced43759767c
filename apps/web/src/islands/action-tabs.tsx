import type { MouseEvent } from 'react'
import type { ToolModel } from '../page.ts'
import type { ToolState } from './use-tool.ts'

/**
 * The directions of a tool. Each is a page of its own; going from one to the other in place keeps what was typed,
 * secrets included, and takes the result along. One without a name does what the others do, by a field.
 */
export function ActionTabs({ model, state }: { model: ToolModel; state: ToolState }) {
  const swapped = state.run.kind === 'done' ? state.action.swap?.to : undefined
  function press(event: MouseEvent, index: number) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    state.switchTo(index, true)
  }
  return (
    <nav aria-label="Directions" className="tab-links">
      {model.actions.map((action, index) => (
        <a
          key={action.name}
          href={action.href}
          aria-current={action === state.action ? 'page' : undefined}
          onClick={event => press(event, index)}
        >
          {action.label}
          {swapped === action.name && <span className="text-soft"> the result</span>}
        </a>
      ))}
    </nav>
  )
}

/** The pages of a tool by what they preset. */
export function VariantTabs({ model }: { model: ToolModel }) {
  const here = model.preset ? model.preset.value.toUpperCase() : 'All'
  return (
    <nav aria-label="Types" className="tab-links">
      {model.variants.map(({ title, href }) => (
        <a key={href} href={href} aria-current={title === here ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
