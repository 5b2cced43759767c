import { type Action, type FieldData, formatFieldOf, Problem, type Raw, type Tool } from '@assay/kit'

export interface Entry {
  tool: Tool
  action: Action
}

/** One address with a GET: the fields in its path, and the action that answers. */
export interface Lookup extends Entry {
  /** As the catalogue writes it: "dns-records/{domain}". */
  template: string
  /** As the router writes it. A web address at the end takes the rest of the path, whatever a proxy has decoded. */
  route: string
  fields: readonly string[]
  /** Other tools that give the same address: same fields, same answer, panels of their own. */
  shared: readonly Entry[]
}

/** The GET addresses of all tools. An address that two tools give belongs to the one named like it, else to the first. */
export function lookupsOf(entries: readonly Entry[]): Lookup[] {
  const found = new Map<string, Lookup>()
  for (const { tool, action } of entries) {
    for (const template of tool.lookups ?? []) {
      const fields = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
      if (!fields.every(name => name in action.fields)) continue
      const route = routeOf(template, action)
      const known = found.get(route)
      if (known && (known.tool.path === head(template) || tool.path !== head(template))) {
        found.set(route, { ...known, shared: [...known.shared, { tool, action }] })
        continue
      }
      found.set(route, { tool, action, template, route, fields, shared: known ? [...known.shared, known] : [] })
    }
  }
  return [...found.values()]
}

/** The tool whose panels are wanted, when the Accept header names one of those at the address. */
export function chosenEntry({ tool, action, shared }: Lookup, accept = ''): Entry {
  const wanted = /application\/vnd\.assay\+json\s*;\s*tool=([a-z0-9-]+)/.exec(accept)?.[1]
  return shared.find(entry => entry.tool.id === wanted) ?? { tool, action }
}

const head = (template: string) => template.split('/{')[0]

function routeOf(template: string, { fields }: Action): string {
  return `/api/${template.replace(/\{(\w+)\}/g, (_, name: string) => `:${name}`)}/`.replace(
    /:(\w+)\/$/,
    (param, name) => (fields[name]?.kind === 'url' ? '*' : param),
  )
}

/** The fields of a lookup: those in the path, and from the query what is not secret. */
export function lookupInput({ action, fields }: Lookup, params: Raw, query: Raw): Raw {
  const raw: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(query)) {
    refuseSecret(name, fieldOf(action, name))
    raw[name] = value
  }
  for (const name of fields) raw[name] = name in params ? params[name] : restOf(String(params['*'] ?? ''))
  return raw
}

/** The field that a name belongs to: itself, or the bytes whose format it says. */
export function fieldOf({ fields }: Action, name: string): FieldData | undefined {
  const formatted = () =>
    Object.keys(fields).find(field => fields[field]?.kind === 'bytes' && formatFieldOf(field) === name)
  return fields[name] ?? fields[formatted() ?? '']
}

/** Some proxies make one slash of two, also in "https://". */
const restOf = (path: string) => path.replace(/\/$/, '').replace(/^(https?):\/(?!\/)/i, '$1://')

function refuseSecret(name: string, field: FieldData | undefined): void {
  if (!field?.secret) return
  throw new Problem('invalid-input', `${field.label} is secret and never goes into an address; send it by POST.`, {
    field: name,
  })
}
