import { type ReactNode, useEffect, useRef } from 'react'
import { type Application, fileLink, mailLink } from '../../application.ts'
import type { ApplicationModel } from '../../page.ts'

/** What became of the form. What was not delivered is still there, with two other ways for it. */
export type Outcome =
  | { kind: 'kept'; application: Application }
  | { kind: 'refused'; application: Application; why: string }
  | { kind: 'sent' }

export function ApplicationOutcome({ outcome, model }: { outcome: Outcome; model: ApplicationModel }) {
  switch (outcome.kind) {
    case 'kept':
      return (
        <Outcome title="One step left: send it">
          <p>
            The form itself stays in your browser, and nothing has been sent yet. The link opens your mail program with
            every field filled in. Should it cut a long letter short, attach the downloaded form.
          </p>
          <OtherWays application={outcome.application} model={model} />
        </Outcome>
      )
    case 'refused':
      return (
        <Outcome title="Your application was not sent">
          <p role="alert" className="application-fault">
            {outcome.why}
          </p>
          <p>What you filled in is still in the form. You can also send it by email, or keep it as a file.</p>
          <OtherWays application={outcome.application} model={model} />
        </Outcome>
      )
    case 'sent':
      return (
        <Outcome title="Your application was sent">
          <p>We read it and answer within 2-3 business days.</p>
        </Outcome>
      )
  }
}

function Outcome({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="application-sent" aria-labelledby="send">
      <h3 id="send" ref={heading} tabIndex={-1}>
        {title}
      </h3>
      {children}
    </section>
  )
}

/** How the filled form reaches those it is for without our server (OPEN-013). */
const OtherWays = ({ application, model }: { application: Application; model: ApplicationModel }) => (
  <div className="form-actions">
    <a className="button primary" href={mailLink(application, model)}>
      Send your application by email
    </a>
    <a
      className="button ghost"
      href={fileLink(application, model)}
      download={`application-${application.selectedRole}.txt`}
    >
      Download the filled form
    </a>
  </div>
)
