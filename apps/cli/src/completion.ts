import { actions } from '@assay/catalogue/catalogue'
import { findAction, optionName, optionsOf, outputOption, sameName, switches } from './words.ts'

/** A script for the shell that asks this program for what may come next. */
export const completionScripts: Readonly<Record<string, string>> = {
  bash: `_assay() {
  local IFS=$'\\n'
  COMPREPLY=( $(assay complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) )
}
complete -o default -F _assay assay
`,
  zsh: `#compdef assay
_assay() {
  local -a found
  found=( \${(f)"$(assay complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"} )
  compadd -Q -a found || _files
}
compdef _assay assay
`,
}

/** What may stand in place of the last word. */
export function complete(words: readonly string[]): string[] {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const found = findAction(before)
  if (!found) return nextWords(before).filter(word => word.startsWith(typed))
  const options = optionsOf(found.entry.action)
  const last = before.at(-1) ?? ''
  const pending = options.find(({ name }) => last.startsWith('--') && sameName(name, last.slice(2)))
  if (pending?.data.options) return pending.data.options.filter(value => value.startsWith(typed))
  if (!typed.startsWith('-')) return found.rest.length ? [] : nextWords(before).filter(word => word.startsWith(typed))
  const general = [...Object.keys(switches), outputOption].map(name => `--${name}`)
  return [...options.map(({ name }) => optionName(name)), ...general].filter(name => name.startsWith(typed))
}

/** The next word of every address that begins with these. */
function nextWords(before: readonly string[]): string[] {
  const depth = before.length
  const paths = actions.map(({ action }) => action.path.split('/'))
  const next = paths.filter(path => before.every((word, index) => path[index] === word)).map(path => path[depth])
  const own = depth === 0 ? ['list', 'completion'] : []
  return [...new Set([...next.filter(word => word !== undefined), ...own])]
}
