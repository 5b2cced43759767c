/**
 * The start tags of one element in a page, from `<` to `>`, in one pass: a page of a stranger may open a million tags and
 * close none. A `>` inside an attribute ends the tag too early, which those who look at attributes here live with.
 */
export function startTags(html: string, element: 'meta' | 'input' | 'form'): string[] {
  const tags: string[] = []
  const opening = new RegExp(`<${element}\\b`, 'gi')
  for (let found = opening.exec(html); found; found = opening.exec(html)) {
    const end = html.indexOf('>', found.index)
    if (end < 0) break
    tags.push(html.slice(found.index, end + 1))
    opening.lastIndex = end
  }
  return tags
}
