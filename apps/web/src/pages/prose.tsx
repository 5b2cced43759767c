import type { Block, Inline } from '../prose.ts'
import { keyed } from '../ui/keyed.ts'

/** Blocks of text; headings take the level that fits where they stand. */
export function Prose({ blocks, heading: Heading }: { blocks: readonly Block[]; heading: 'h2' | 'h3' }) {
  return (
    <div className="prose">
      {keyed(blocks).map(({ key, value: block }) => {
        if (block.kind === 'heading') return <Heading key={key}>{line(block.text)}</Heading>
        if (block.kind === 'paragraph') return <p key={key}>{line(block.text)}</p>
        const List = block.ordered ? 'ol' : 'ul'
        return (
          <List key={key}>
            {keyed(block.items).map(item => (
              <li key={item.key}>{line(item.value)}</li>
            ))}
          </List>
        )
      })}
    </div>
  )
}

const line = (pieces: readonly Inline[]) =>
  keyed(pieces).map(({ key, value }) => {
    if (typeof value === 'string') return value
    if (value.kind === 'code') return <code key={key}>{value.text}</code>
    if (value.kind === 'emphasis') return <em key={key}>{value.text}</em>
    if (value.kind === 'strong') return <strong key={key}>{value.text}</strong>
    const elsewhere = value.href.startsWith('https:') ? { rel: 'noopener' } : {}
    return (
      <a key={key} href={value.href} {...elsewhere}>
        {value.text}
      </a>
    )
  })
