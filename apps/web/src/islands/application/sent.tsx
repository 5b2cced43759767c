import { useEffect, useRef } from 'react'
import { type Application, fileLink, mailLink } from '../../application.ts'
import type { ApplicationModel } from '../../page.ts'

/** What to do with the filled form, so that it reaches those it is for (OPEN-013). */
export function ApplicationSent({ application, model }: { application: Application; model: ApplicationModel }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="application-sent" aria-labelledby="send">
      <h3 id="send" ref={heading} tabIndex={-1}>
        One step left: send it
      </h3>
      <p>
        The form itself stays in your browser, and nothing has been sent yet. The link opens your mail program with
        every field filled in. Should it cut a long letter short, attach the downloaded form.
      </p>
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
    </section>
  )
}
