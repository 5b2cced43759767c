import { badge, field, mono, panel, sh, tool } from '@assay/kit'
import { riskOf, SiteVisit, scale } from './site-visit.ts'
import { statusCell } from './status.ts'

/** Mistakes that open a site to others, each with its proof. Fetch §3.3, RFC 6797, RFC 6265, RFC 7617, RFC 9110 §9.3.8. */
export const accessControlValidator = tool({
  id: 'access-control-validator',
  path: 'access-control-validator',
  title: 'Access Control Validator',
  category: 'dns-tools',
  summary: 'Mistakes of a web site that open it to others: CORS, security headers, passwords and cookies, open files.',
  keywords: ['cors', 'misconfiguration', 'vulnerability', 'owasp', '.git', '.env', 'directory listing', 'cookies'],
  specs: ['RFC 9110', 'RFC 6797', 'RFC 6265', 'RFC 7617'],
  runs: 'server',
  weight: 'scan',
  lookups: ['access-control-validator/{domain}'],
  button: ['Validate', 'Validating...'],
  fields: { domain: field.domain('Domain') },

  async *run({ domain }, context) {
    const visit = new SiteVisit(domain, context)
    yield { progress: 0, label: 'Start page' }
    await visit.open()
    const steps: [string, () => Promise<void>][] = [
      ['Plain HTTP', () => visit.plain()],
      ['CORS', () => visit.cors()],
      ['Open files', () => visit.authorization()],
    ]
    for (const [i, [label, step]] of steps.entries()) {
      yield { progress: (i + 1) / (steps.length + 1), label, partial: visit.result() }
      await step()
    }
    return visit.result()
  },

  show({ domain, url, vulnerabilities, requests, tests }) {
    const found = Object.entries(vulnerabilities).filter(([, entries]) => entries.length)
    const total = found.reduce((sum, [, entries]) => sum + entries.length, 0)
    const [risk, tone] = riskOf(total)
    return [
      panel.banner(tone, domain, {
        badge: total ? 'VULNERABLE' : 'SECURE',
        detail: `${url} · ${requests} harmless requests`,
      }),
      panel.tiles(
        { label: 'Total Vulnerabilities', value: { text: String(total), tone } },
        { label: 'Categories Affected', value: found.length },
        { label: 'Security Status', value: { text: total ? 'Vulnerable' : 'Secure', tone: total ? 'bad' : 'good' } },
        { label: 'Risk Level', value: { text: risk, tone } },
      ),
      ...found.map(([category, entries]) =>
        panel.section(
          category,
          [
            panel.table(
              ['Description', 'Status', 'URL', 'Proof'],
              entries.map(({ description, status_code, url, proof }) => [
                description,
                statusCell(status_code),
                mono(url),
                mono(proof),
              ]),
            ),
          ],
          { badge: badge(String(entries.length), 'bad') },
        ),
      ),
      ...(total
        ? []
        : [panel.note('good', 'None of the mistakes this tool knows was found.', 'No Vulnerabilities Detected')]),
      panel.table(
        ['Risk level', 'Vulnerabilities'],
        scale.map(([level, range, mark]) => [badge(level, mark), range]),
        { title: 'Risk Assessment Scale' },
      ),
      panel.checks(
        tests.map(({ category, name, ...check }) => ({ ...check, name: `${category}: ${name}` })),
        'What was tried',
      ),
      panel.note(
        'info',
        'Validate only sites that you own or may test. Nothing is changed, no password is tried, and what is not listed here was not looked for.',
      ),
    ]
  },

  terminal: (_, { url }) => ({
    command: sh`curl -sS -o /dev/null -D - -H 'Origin: https://probe.example' ${url}`,
  }),

  examples: [
    {
      from: 'RFC 6797 §6.2, RFC 7034 §2.1',
      title: 'A site with nothing to find',
      input: { domain: 'example.com' },
      recording: {
        http: {
          'https://example.com/': {
            status: 200,
            headers: [
              ['Content-Security-Policy', "default-src 'self'; frame-ancestors 'none'"],
              ['Strict-Transport-Security', 'max-age=31536000'],
              ['X-Content-Type-Options', 'nosniff'],
              ['Content-Type', 'text/html; charset=utf-8'],
            ],
          },
        },
      },
      result: { domain: 'example.com', total_vulnerabilities: 0, security_status: 'Secure', risk_level: 'None' },
    },
    {
      from: 'RFC 7617 §2, RFC 6265 §4.1.2',
      title: 'Passwords in the clear, the source code open',
      input: { domain: 'example.com' },
      recording: {
        http: {
          'http://example.com/': {
            status: 401,
            headers: [
              ['WWW-Authenticate', 'Basic realm="WallyWorld"'],
              ['Set-Cookie', 'SID=31d4d96e407aad42'],
            ],
          },
          'http://example.com/.git/HEAD': { status: 200, headers: [], body: 'ref: refs/heads/main\n' },
        },
      },
      result: {
        security_status: 'Vulnerable',
        vulnerabilities: {
          Authorization: [{ status_code: 200, url: 'http://example.com/.git/HEAD', proof: 'ref: refs/heads/main' }],
        },
      },
    },
  ],
})
