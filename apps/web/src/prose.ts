/**
 * The small part of Markdown that the texts of the site are written in: paragraphs, `##` headings, `-` and `1.` lists,
 * and within them `code`, *emphasis*, **strong** and [links](https://…). Everything else is plain text.
 */
export type Block =
  | { kind: 'paragraph'; text: Inline[] }
  | { kind: 'heading'; text: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }

export type Inline =
  | string
  | { kind: 'code'; text: string }
  | { kind: 'emphasis'; text: string }
  | { kind: 'strong'; text: string }
  | { kind: 'link'; text: string; href: string }

/** Blocks of a text; they are separated by empty lines, and a heading or list item also ends a paragraph. */
export function parseProse(source: string): Block[] {
  const blocks: Block[] = []
  for (const chunk of source.replace(/\r\n?/g, '\n').split(/\n\s*\n/)) {
    let lines: string[] = []
    const flush = () => {
      if (lines.length) blocks.push({ kind: 'paragraph', text: parseInline(lines.join(' ')) })
      lines = []
    }
    for (const line of chunk.split('\n').filter(line => line.trim())) {
      const heading = /^#{1,4}\s+(.*)$/.exec(line)
      const item = /^\s*(?:[-*]|(\d+)\.)\s+(.*)$/.exec(line)
      if (heading) {
        flush()
        blocks.push({ kind: 'heading', text: parseInline(heading[1] ?? '') })
      } else if (item) {
        flush()
        addItem(blocks, Boolean(item[1]), item[2] ?? '')
      } else lines.push(line.trim())
    }
    flush()
  }
  return blocks
}

function addItem(blocks: Block[], ordered: boolean, text: string): void {
  const last = blocks.at(-1)
  if (last?.kind === 'list' && last.ordered === ordered) last.items.push(parseInline(text))
  else blocks.push({ kind: 'list', ordered, items: [parseInline(text)] })
}

const SPAN = /`([^`]+)`|\[([^\]]+)\]\(([^()\s]+)\)|\*\*([^*]+)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*/g

/** The pieces of one line. Links lead to https pages and to paths of the site; any other stays text. */
export function parseInline(text: string): Inline[] {
  const pieces: Inline[] = []
  let end = 0
  for (const match of text.matchAll(SPAN)) {
    const [whole, code, label, href, strong, emphasis] = match
    const piece: Inline =
      code !== undefined
        ? { kind: 'code', text: code }
        : label !== undefined && href !== undefined
          ? /^(?:https:\/\/|mailto:|\/(?!\/))/.test(href)
            ? { kind: 'link', text: label, href }
            : whole
          : strong !== undefined
            ? { kind: 'strong', text: strong }
            : { kind: 'emphasis', text: emphasis ?? '' }
    if (match.index > end) pieces.push(text.slice(end, match.index))
    pieces.push(piece)
    end = match.index + whole.length
  }
  if (end < text.length) pieces.push(text.slice(end))
  return pieces
}
