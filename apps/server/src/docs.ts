import { type Action, categories, type FieldData, formatFieldOf, shellWord, title as titleOf } from '@assay/kit'
import type { FastifyInstance } from 'fastify'
import { type Entry, lookupsOf } from './addresses.ts'
import { generatedFile, sendFile } from './file.ts'
import { pagePolicy } from './headers.ts'
import type { Limits } from './limits.ts'
import { type About, openApi } from './openapi.ts'
import { DETAILED } from './tools.ts'

/** The API explained: one page without scripts, made from the same definitions that answer. */
export function docsRoutes(app: FastifyInstance, entries: readonly Entry[], about: About, limits: Limits): void {
  const policy = pagePolicy({ scriptHashes: [] }, '')
  const files = {
    '/api/openapi.json': generatedFile('openapi.json', JSON.stringify(openApi(entries, about))),
    '/api/docs/': generatedFile('docs.html', docsPage(entries, about, limits)),
    '/api/docs/style.css': generatedFile('style.css', style),
  }
  for (const [url, file] of Object.entries(files)) {
    app.get(url, (request, reply) => sendFile(request, reply.removeHeader('x-robots-tag'), file, policy))
  }
  app.get('/api/', (_, reply) => reply.redirect('/api/docs/', 301))
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, character => escapes[character] ?? '')

class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
type Part = string | number | Html | undefined | readonly Html[]

/** HTML whose values are escaped unless they are HTML themselves. */
function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(written)))
}

function written(value: Part): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  return typeof value === 'object' ? value.map(part => part.text).join('') : escaped(String(value))
}

export function docsPage(entries: readonly Entry[], about: About, limits: Limits): string {
  const base = about.base ?? 'http://127.0.0.1:8080'
  const groups = categories
    .map(category => ({ ...category, entries: entries.filter(({ tool }) => tool.category === category.slug) }))
    .filter(group => group.entries.length > 0)
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API | ${about.brand}</title>
<meta name="description" content="Every tool of ${about.brand} as an HTTP address.">
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/api/docs/style.css">
</head>
<body>
<header><a href="/">${about.brand}</a></header>
<main>
<h1>API</h1>
<p>${entries.length} addresses, no key, JSON in and JSON out. The same description for programs:
<a href="/api/openapi.json">OpenAPI 3.1</a>. For assistants that speak the Model Context Protocol: <code>${base}/mcp</code>.</p>
${introduction(base, limits, entries)}
<nav aria-label="Categories"><ul>
${groups.map(({ slug, title, entries }) => html`<li><a href="#${slug}">${title}</a> (${entries.length})</li>`)}
</ul></nav>
${groups.map(
  ({ slug, title, entries: own }) => html`<section aria-labelledby="${slug}">
<h2 id="${slug}">${title}</h2>
${own.map(entry => operation(entry, base, entries))}
</section>`,
)}
</main>
</body>
</html>
`
  return text
}

const introduction = (base: string, limits: Limits, entries: readonly Entry[]) => html`
<h2>Calling</h2>
<p>Send the fields of a tool as a JSON object by POST. Lookups also answer GET, the value url-encoded in the path;
fields that are not secret may follow in the query. A field that a tool does not know is refused, never ignored.</p>
${firstCall(base, entries)}
<dl>
<dt>Bytes</dt><dd>Beside a field of bytes stands its format: UTF-8, Hex, Base64 or Latin-1.</dd>
<dt>Files</dt><dd>As multipart/form-data, the file after the other fields, at most ${limits.uploadBytes / 1_048_576} MiB.</dd>
<dt>Streaming</dt><dd>With <code>Accept: text/event-stream</code> a run sends the events progress and partial on its way, then result or error.</dd>
<dt>Details</dt><dd>With <code>Accept: ${DETAILED}</code> the answer is <code>{result, panels, terminal, ms}</code>: also how the page shows it, and the command that does the same.</dd>
<dt>Errors</dt><dd><code>{error, code, field, detail}</code>. Status 400 for what was asked, 404 for what does not exist, 429 and 503 with Retry-After, 504 when time was up.</dd>
<dt>Limits</dt><dd>A minute holds ${limits.lookupsPerMinute} lookups, ${limits.scansPerMinute} scans and crackers, and ${limits.lightPerMinute} runs of everything else. A run has ${limits.workMs / 1000} seconds, a lookup ${limits.lookupMs / 1000}, a scan ${limits.scanMs / 1000}.</dd>
<dt>Privacy</dt><dd>Inputs and results are neither logged nor stored.</dd>
</dl>`

function firstCall(base: string, entries: readonly Entry[]): Html | undefined {
  const entry = entries.find(({ tool, action }) => tool.runs === 'anywhere' && action.examples.length > 0)
  return (
    entry &&
    html`<pre tabindex="0"><code>${curlPost(base, entry.action.path, entry.action.examples[0]?.input)}</code></pre>`
  )
}

function operation({ tool, action }: Entry, base: string, all: readonly Entry[]): Html {
  const gets = lookupsOf(all).filter(lookup => lookup.action === action)
  const example = action.examples[0]
  const anchor = action.path.replaceAll('/', '-')
  return html`<details id="${anchor}">
<summary><code>/api/${action.path}/</code> ${action.title}</summary>
<p>${action.summary}${tool.caution ? html` <strong>${tool.caution}</strong>` : undefined}</p>
<ul>
<li><code>POST /api/${action.path}/</code></li>
${gets.map(({ template }) => html`<li><code>GET /api/${template}/</code></li>`)}
</ul>
${fieldTable(action)}
${example && html`<pre tabindex="0"><code>${curlPost(base, action.path, example.input)}</code></pre>`}
${example && html`<p>From the answer (${example.from}):</p><pre tabindex="0"><code>${JSON.stringify(example.result, null, 2)}</code></pre>`}
</details>`
}

function fieldTable({ fields }: Action): Html {
  const rows = Object.entries(fields)
  if (rows.length === 0) return html`<p>It takes no fields.</p>`
  return html`<table tabindex="0">
<thead><tr><th scope="col">Field</th><th scope="col">What it is</th><th scope="col">Values</th></tr></thead>
<tbody>${rows.map(
    ([name, data]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${data.label}${data.secret ? ', secret' : ''}${data.optional ? ', optional' : ''}${data.help ? `. ${data.help}` : ''}</td><td>${valuesOf(name, data)}</td></tr>`,
  )}</tbody>
</table>`
}

function valuesOf(name: string, data: FieldData): Html {
  const preset = data.default === undefined || data.default === '' ? '' : `; default ${data.default}`
  const depends = data.dependsOn ? `; only with ${data.dependsOn.field} ${data.dependsOn.values.join(' or ')}` : ''
  switch (data.kind) {
    case 'choice':
    case 'flag':
      return html`${(data.options ?? []).join(', ')}${preset}${depends}`
    case 'number':
      return html`${data.min ?? ''} to ${data.max ?? ''}${data.unit ? ` ${data.unit}` : ''}${preset}${depends}`
    case 'bytes':
      return html`text in <code>${formatFieldOf(name)}</code>: ${(data.formats ?? []).join(', ')}${preset}${depends}`
    case 'file':
      return html`a file${depends}`
    default:
      return html`${data.placeholder ? `such as ${data.placeholder}` : titleOf(data.kind).toLowerCase()}${preset}${depends}`
  }
}

const curlPost = (base: string, path: string, input: unknown) =>
  `curl ${base}/api/${path}/ -H 'Content-Type: application/json' \\\n  -d ${shellWord(JSON.stringify(input))}`

const style = `:root{color-scheme:light dark;--line:light-dark(#d4d4d8,#3f3f46);--soft:light-dark(#f4f4f5,#18181b);--link:light-dark(#1d4ed8,#93c5fd)}
*{box-sizing:border-box}
body{margin:0;font:16px/1.6 system-ui,sans-serif;background:light-dark(#fff,#09090b);color:light-dark(#18181b,#f4f4f5)}
header,main{max-width:64rem;margin:auto;padding:1rem}
header a{font-weight:600}
a{color:var(--link)}
h1{font-size:1.75rem}h2{font-size:1.25rem;margin-top:2.5rem}
code,pre{font:0.875rem/1.5 ui-monospace,monospace}
pre{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.75rem;overflow-x:auto}
code{overflow-wrap:anywhere}
pre code{overflow-wrap:normal}
nav ul{columns:18rem;padding-left:1.25rem}
dt{font-weight:600}dd{margin:0 0 .5rem}
details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;padding:0 .75rem}
summary{padding:.5rem 0;cursor:pointer}
table{border-collapse:collapse;width:100%;display:block;overflow-x:auto}
th,td{text-align:left;vertical-align:top;padding:.375rem .75rem .375rem 0;border-top:1px solid var(--line)}
thead th{border:0}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
`
