import type { ReactNode } from 'react'
import { typeNames } from '../application.ts'
import { ApplicationForm } from '../islands/application/form.tsx'
import type { Page, Position } from '../page.ts'

const REASONS: readonly (readonly [string, string])[] = [
  [
    'Remote-First Culture',
    'Our head office is in New Delhi, India, and we work remote-first: what counts is the work, not where it is done.',
  ],
  [
    'Cutting-Edge Tech',
    'Encrypted DNS, DNSSEC, modern signatures, browsers that do the work of servers: current standards are our daily material.',
  ],
  [
    'Innovation Focus',
    'We look for what tools of this kind do not do yet, such as a finding that shows its evidence, and then build it.',
  ],
  ['Growth Opportunities', 'Several positions are open as internships, and a learning budget comes with the work.'],
]

const PERKS: readonly (readonly [string, string])[] = [
  ['Competitive salary', 'Pay that holds its own beside other offers.'],
  ['Equity/stock options', 'A share in what you help to build.'],
  ['Health insurance', 'Cover for when you are not well.'],
  ['Unlimited PTO', 'Paid time off without a yearly count of days.'],
  ['Equipment budget', '$2000 annual, for the tools on your desk.'],
  ['Learning budget', 'For courses, books and conferences.'],
]

const STEPS: readonly (readonly [string, string])[] = [
  ['Application Review', 'We read your application and answer within 2-3 business days.'],
  ['Technical Interview', 'A conversation of 45-60 minutes about your work and ours.'],
  ['Welcome Aboard', 'If both sides say yes, you get an offer and we agree on your first day.'],
]

/** What working here is like, the open positions, and the form to apply with. */
export function CareersPage({ page }: { page: Extract<Page, { kind: 'careers' }> }) {
  const { positions, form } = page
  const { brand, contact } = form
  return (
    <article className="careers mx-auto max-w-295 px-4 pt-7 pb-16 md:px-6">
      <nav aria-label="Breadcrumb" className="crumb">
        <a href="/">Home</a> / <span aria-current="page">Careers</span>
      </nav>
      <header className="careers-banner">
        <h1 className="title">Careers at {brand}</h1>
        <p className="lead">
          Help to build tools that people open when something is broken and they need an answer they can trust.
        </p>
        <a href="#open-positions" className="button primary">
          See open positions
        </a>
      </header>
      <Section id="why" title="Why Work With Us">
        <Points points={REASONS} />
      </Section>
      <Section id="open-positions" title="Open Positions">
        <ul className="positions">
          {Object.entries(positions).map(([slug, position]) => (
            <li key={slug}>
              <PositionCard slug={slug} position={position} />
            </li>
          ))}
        </ul>
      </Section>
      <Section id="perks" title="Perks & Benefits">
        <Points points={PERKS} name="perks" />
      </Section>
      <Section id="apply" title="Apply Now">
        <div data-island="careers">
          <ApplicationForm model={form} />
        </div>
        <noscript>
          <p className="caution">
            The form needs JavaScript. Without it, send your application to <a href={`mailto:${contact}`}>{contact}</a>.
          </p>
        </noscript>
      </Section>
      <Section id="next" title="What's Next">
        <ol className="steps-ahead">
          {STEPS.map(([name, text]) => (
            <li key={name}>
              <h3>{name}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </Section>
      <Section id="questions" title="Questions">
        <p className="lead">
          About a position or about applying: write to <a href={`mailto:${contact}`}>{contact}</a> or use the{' '}
          <a href="/contact-us/">contact page</a>.
        </p>
      </Section>
      <p className="careers-equal">
        {brand} is an equal opportunity employer. We choose people for their skills and their work, whatever their
        origin, color, religion, sex, gender identity, sexual orientation, age, disability or family status.
      </p>
    </article>
  )
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="careers-section">
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

function Points({ points, name = '' }: { points: readonly (readonly [string, string])[]; name?: string }) {
  return (
    <ul className={`points ${name}`}>
      {points.map(([name, text]) => (
        <li key={name}>
          <h3>{name}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  )
}

/** How many responsibilities a card shows (§3 Job position). */
const SHOWN_RESPONSIBILITIES = 5

function PositionCard({ slug, position }: { slug: string; position: Position }) {
  const { title, type, description, requirements, responsibilities, technologies } = position
  return (
    <section className="position" aria-labelledby={slug}>
      <div className="position-head">
        <h3 id={slug}>{title}</h3>
        <span className="chip">{type.map(name => typeNames[name]).join(', ')}</span>
      </div>
      <p>{description}</p>
      <h4>What you will do</h4>
      <List items={responsibilities.slice(0, SHOWN_RESPONSIBILITIES)} />
      <h4>What you bring</h4>
      <List items={requirements} />
      <h4>Technologies</h4>
      <ul className="technologies">
        {technologies.map(name => (
          <li key={name} className="chip">
            {name}
          </li>
        ))}
      </ul>
      <button type="button" className="button primary" data-apply={slug}>
        Apply Now<span className="sr-only"> as {title}</span>
      </button>
    </section>
  )
}

const List = ({ items }: { items: readonly string[] }) => (
  <ul className="bullets">
    {items.map(item => (
      <li key={item}>{item}</li>
    ))}
  </ul>
)
