import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { readApplication } from '../../application.ts'
import { deliver, refusalOf } from '../../delivery.ts'
import type { ApplicationModel } from '../../page.ts'
import { root } from '../../root.ts'
import { Applicant } from './applicant.tsx'
import { ApplicationField } from './field.tsx'
import { ApplicationOutcome, type Outcome } from './outcome.tsx'
import { ApplicationType } from './type.tsx'

/** §8 Error catalogue. */
const SUCCESS = "Application submitted successfully! We'll get back to you soon."
const URL_PATH = '/api/careers/'
/** As in apps/server/src/inbox.ts: people do not see it, and programs that fill in every form do. */
const TRAP = 'website'

/**
 * The form to apply with. It checks with the browser's own validation. Unless the installation delivers applications
 * it sends nothing (§4, OPEN-013): what was filled in is logged, and offered as a mail and as a file. `dialog` is the
 * method that does nothing by itself, so that a form submitted before this script ran does not put its fields into an
 * address.
 */
export function ApplicationForm({ model }: { model: ApplicationModel }) {
  const form = useRef<HTMLFormElement>(null)
  const [slug, setSlug] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const [isSending, setSending] = useState(false)
  // What was sent is drawn anew, so that it is empty in every part.
  const [round, setRound] = useState(0)
  const role = model.roles.find(role => role.slug === slug)

  useApplyButtons(form, slug => {
    setSlug(slug)
    setOutcome(undefined)
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    if (model.delivers) return void send(data)
    const application = readApplication(data)
    console.log(application)
    alert(SUCCESS)
    setOutcome({ kind: 'kept', application })
  }
  async function send(data: FormData) {
    const application = readApplication(data)
    setOutcome(undefined)
    setSending(true)
    const delivery = await deliver(root + URL_PATH, { ...application, [TRAP]: String(data.get(TRAP) ?? '') })
    setSending(false)
    if (!delivery.ok) return setOutcome({ kind: 'refused', application, why: refusalOf(delivery, model.contact) })
    alert(SUCCESS)
    setSlug('')
    setRound(round + 1)
    setOutcome({ kind: 'sent' })
  }
  function change(event: FormEvent<HTMLFormElement>) {
    if (!outcome) return
    const application = readApplication(new FormData(event.currentTarget))
    setOutcome(outcome.kind === 'sent' ? undefined : { ...outcome, application })
  }

  return (
    <>
      <p role="status" className="selected-position">
        {role && (
          <>
            Selected Position: <strong>{role.title}</strong>
          </>
        )}
      </p>
      <form ref={form} key={round} method="dialog" className="application" onSubmit={submit} onChange={change}>
        <div className="field-row">
          <ApplicationRole roles={model.roles} slug={slug} choose={setSlug} />
          <ApplicationType role={role} />
        </div>
        <Applicant />
        <Consent brand={model.brand} />
        {model.delivers && (
          <div hidden>
            <label htmlFor={TRAP}>Leave this field empty</label>
            <input id={TRAP} name={TRAP} tabIndex={-1} autoComplete="off" />
          </div>
        )}
        <div className="form-actions">
          <button type="submit" className="button primary" disabled={isSending}>
            {isSending ? 'Sending…' : 'Submit Application'}
          </button>
          <p className="field-help">
            {model.delivers
              ? 'The form is sent to us, and deleted from the server after 30 days.'
              : 'The form stays in your browser. After this step you send it by email.'}
          </p>
        </div>
      </form>
      {outcome && <ApplicationOutcome key={outcome.kind} outcome={outcome} model={model} />}
    </>
  )
}

interface RoleProps {
  roles: ApplicationModel['roles']
  slug: string
  choose(slug: string): void
}

const ApplicationRole = ({ roles, slug, choose }: RoleProps) => (
  <ApplicationField name="selectedRole">
    {common => (
      // No autocompletion: a value that the browser brought back after a reload would not be known here.
      <select
        {...common}
        className="input select"
        value={slug}
        onChange={event => choose(event.target.value)}
        autoComplete="off"
      >
        <option value="">Select a position</option>
        {roles.map(({ slug, title }) => (
          <option key={slug} value={slug}>
            {title}
          </option>
        ))}
      </select>
    )}
  </ApplicationField>
)

const Consent = ({ brand }: { brand: string }) => (
  <label className="consent">
    <input type="checkbox" name="consent" required />
    <span>
      I agree that {brand} uses these details to consider my application, as the{' '}
      <a href={`${root}/privacy-policy/`}>Privacy Policy</a> says.
    </span>
  </label>
)

/** The buttons of the cards, which stand outside of this island, choose a position and lead to the form. */
function useApplyButtons(form: RefObject<HTMLFormElement | null>, choose: (slug: string) => void): void {
  useEffect(() => {
    function press({ target }: MouseEvent) {
      const button = target instanceof Element ? target.closest<HTMLElement>('[data-apply]') : null
      if (!button?.dataset.apply) return
      choose(button.dataset.apply)
      const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
      document.getElementById('apply')?.scrollIntoView({ behavior: calm ? 'instant' : 'smooth', block: 'start' })
      form.current?.querySelector('select')?.focus({ preventScroll: true })
    }
    document.addEventListener('click', press)
    return () => document.removeEventListener('click', press)
  })
}
