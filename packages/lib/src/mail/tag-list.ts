/** The tag=value lists of DKIM, which DMARC writes its records in too. RFC 6376 §3.2. */

export interface Tag {
  name: string
  value: string
}

export interface TagList {
  tags: Tag[]
  /** What breaks the grammar, as clauses. */
  problems: string[]
}

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/
/** Records of more tags, and lists of more problems, are nobody's. */
const MAX_TAGS = 100
const MAX_PROBLEMS = 10

/** Reads a list; what is no tag is told and left out. Spaces around names and values do not count. */
export function parseTagList(text: string): TagList {
  const tags: Tag[] = []
  const problems: string[] = []
  const specs = text.split(';')
  if (specs.length > MAX_TAGS) {
    problems.push(`there are more than ${MAX_TAGS} tags`)
    specs.length = MAX_TAGS
  }
  for (const [index, spec] of specs.entries()) {
    if (spec.trim() === '') {
      if (index < specs.length - 1) problems.push('there is nothing between two semicolons')
      continue
    }
    const equals = spec.indexOf('=')
    const name = spec.slice(0, Math.max(equals, 0)).trim()
    if (equals < 0 || !NAME.test(name)) {
      problems.push(`"${spec.trim().slice(0, 40)}" is not a tag and its value`)
      continue
    }
    if (tags.some(tag => tag.name === name)) problems.push(`the tag ${name} stands more than once`)
    tags.push({ name, value: spec.slice(equals + 1).trim() })
  }
  return { tags, problems: problems.slice(0, MAX_PROBLEMS) }
}

/** The value of the first tag of that name. */
export const tagValue = ({ tags }: TagList, name: string): string | undefined =>
  tags.find(tag => tag.name === name)?.value
