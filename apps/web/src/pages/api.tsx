import type { ApiOperation, Page } from '../page.ts'

type ApiPage = Extract<Page, { kind: 'api' }>

/** The API explained: how to call it, then every address with its fields. Needs no script. */
export function ApiDocs({ page: { base, groups } }: { page: ApiPage }) {
  const first = groups
    .flatMap(({ operations }) => operations)
    .find(({ call, addresses }) => call && addresses.length === 1)
  return (
    <article className="mx-auto max-w-240 px-4 pt-7 pb-16 md:px-6">
      <nav aria-label="Breadcrumb" className="crumb">
        <a href="/">Home</a> / <span aria-current="page">API</span>
      </nav>
      <h1 className="title">API</h1>
      <p className="lead">
        Every tool is an address: JSON in and JSON out, and no key needed. The same for programs:{' '}
        <a className="underline" href="/api/openapi.json">
          OpenAPI 3.1
        </a>
        . For assistants that speak the Model Context Protocol: <code>{base}/mcp</code>.
      </p>
      {first?.call && <Code text={`curl ${base}${first.call}`} />}
      <dl className="api-notes">
        {NOTES.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {groups.map(({ slug, title, operations }) => (
        <section key={slug} aria-labelledby={slug} className="mt-10">
          <h2 id={slug} className="text-lg font-bold tracking-tight">
            {title}
          </h2>
          {operations.map(operation => (
            <Operation key={operation.anchor} operation={operation} base={base} />
          ))}
        </section>
      ))}
    </article>
  )
}

const NOTES: readonly (readonly [string, string])[] = [
  [
    'Calling',
    'POST the fields of a tool as a JSON object. Lookups also answer GET, the value url-encoded in the path; other fields that are not secret may follow in the query. A field that a tool does not know is refused, never ignored.',
  ],
  ['Bytes', 'Beside a field of bytes stands its format: UTF-8, Hex, Base64 or Latin-1.'],
  ['Files', 'As multipart/form-data, the file after the other fields, at most 25 MiB.'],
  [
    'Streams',
    'With Accept: text/event-stream a run sends the events progress and partial on its way, then result or error.',
  ],
  [
    'Details',
    'With Accept: application/vnd.assay+json the answer is {result, panels, terminal, ms}: also how the page shows it, and the command that does the same.',
  ],
  [
    'Errors',
    '{error, code, field, detail}. Status 400 for what was asked, 404 for what does not exist, 429 and 503 with Retry-After, 504 when time was up.',
  ],
  ['Limits', 'Counted by client and by target; those of this instance stand in the OpenAPI document.'],
  [
    'Keys',
    'Whoever has an account makes API keys on the profile page and sends one as a header, such as curl -H "Authorization: Bearer assay_key_…". Calls by key have higher limits and count for the account, wherever they come from. A key is taken from the header only; a wrong or revoked one is 401, a kind of tool that it was not made for 403.',
  ],
  [
    'The rest',
    'Accounts, sessions and keys (/auth/, /user/) and the two forms (/api/contact/, /api/careers/) stand in the OpenAPI document with all of their fields.',
  ],
  ['Privacy', 'Inputs and results are neither logged nor stored.'],
]

function Operation({ operation, base }: { operation: ApiOperation; base: string }) {
  const { anchor, title, summary, addresses, fields, call, answer } = operation
  return (
    <details id={anchor} className="api-operation">
      <summary>
        <code>{addresses[0]?.replace('POST ', '')}</code> <span>{title}</span>
      </summary>
      <p>{summary}</p>
      <ul>
        {addresses.map(address => (
          <li key={address}>
            <code>{address}</code>
          </li>
        ))}
      </ul>
      {fields.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="api-fields" aria-label={`Fields of ${title}`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">What it is</th>
                <th scope="col">Values</th>
              </tr>
            </thead>
            <tbody>
              {fields.map(({ name, about, values }) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td>{about}</td>
                  <td>{values}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {call && <Code text={`curl ${base}${call}`} />}
      {answer && (
        <>
          <p>From the answer ({answer.from}):</p>
          <Code text={answer.text} />
        </>
      )}
    </details>
  )
}

function Code({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard
    <pre className="api-code" tabIndex={0}>
      <code>{text}</code>
    </pre>
  )
}
