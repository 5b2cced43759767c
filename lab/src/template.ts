import fs from 'node:fs'
import path from 'node:path'
import { host } from './inventory.ts'

const folder = path.join(import.meta.dirname, '../config')

/**
 * Fills a file of lab/config. `{{name}}` is one of the values; `{{v4 www.good.test}}` and `{{v6 www.good.test}}` are the
 * first addresses of a host and `{{every-v4 dns.google}}` all of one family; `{{listen www.good.test}}` are the nginx lines that listen there for HTTP and HTTPS.
 */
export function configuration(file: string, values: Readonly<Record<string, string>>): string {
  return fill(fs.readFileSync(path.join(folder, file), 'utf8'), values)
}

/** Writes the filled template to `<lab>/run/<name>` and gives that path. */
export function writeConfiguration(
  lab: string,
  name: string,
  template: string,
  values: Readonly<Record<string, string>>,
): string {
  const file = path.join(lab, 'run', name)
  fs.writeFileSync(file, configuration(template, { lab, ...values }))
  return file
}

export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{([\w-]+)(?: ([\w.-]+))?\}\}/g, (_, word: string, name: string | undefined) => {
    const text = name === undefined ? values[word] : ofHost(word, name)
    if (text === undefined) throw new RangeError(`the template asks for ${word}, which has no value`)
    return text
  })
}

function ofHost(word: string, name: string): string | undefined {
  const { v4, v6 } = host(name)
  switch (word) {
    case 'v4':
      return v4[0]
    case 'v6':
      return v6[0]
    case 'every-v4':
      return v4.join(', ')
    case 'listen':
      return [...v4, ...v6.map(text => `[${text}]`)]
        .map(socket => `listen ${socket}:80; listen ${socket}:443 ssl http2;`)
        .join('\n    ')
    default:
      return undefined
  }
}
