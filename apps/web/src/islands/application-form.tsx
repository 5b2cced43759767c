import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { type Application, availabilityNames, experienceNames, labels, readApplication } from '../application.ts'
import type { ApplicationModel } from '../page.ts'
import { ApplicationChoice, ApplicationField } from './application-field.tsx'
import { ApplicationSent } from './application-sent.tsx'
import { ApplicationType } from './application-type.tsx'

/** §8 Error catalogue. */
const SUCCESS = "Application submitted successfully! We'll get back to you soon."

/**
 * The form to apply with. It checks with the browser's own validation and sends nothing (§4, OPEN-013): what was
 * filled in is logged, and offered as a mail and as a file. `dialog` is the method that does nothing by itself, so
 * that a form submitted before this script ran does not put its fields into an address.
 */
export function ApplicationForm({ model }: { model: ApplicationModel }) {
  const { brand, roles } = model
  const form = useRef<HTMLFormElement>(null)
  const [slug, setSlug] = useState('')
  const [filled, setFilled] = useState<Application>()
  const role = roles.find(role => role.slug === slug)

  useApplyButtons(form, slug => {
    setSlug(slug)
    setFilled(undefined)
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const application = readApplication(new FormData(event.currentTarget))
    console.log(application)
    alert(SUCCESS)
    setFilled(application)
  }
  function change(event: FormEvent<HTMLFormElement>) {
    if (filled) setFilled(readApplication(new FormData(event.currentTarget)))
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
      <form ref={form} method="dialog" className="application" onSubmit={submit} onChange={change}>
        <div className="field-row">
          <ApplicationField name="selectedRole" label={labels.selectedRole}>
            {common => (
              // A value that the browser brought back after a reload would not be known here.
              <select
                {...common}
                className="input select"
                value={slug}
                onChange={event => setSlug(event.target.value)}
                autoComplete="off"
                required
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
          <ApplicationType role={role} />
        </div>
        <Applicant />
        <label className="consent">
          <input type="checkbox" name="consent" required />
          <span>
            I agree that {brand} uses these details to consider my application, as the{' '}
            <a href="/privacy-policy/">Privacy Policy</a> says.
          </span>
        </label>
        <div className="form-actions">
          <button type="submit" className="button primary">
            Submit Application
          </button>
          <p className="field-help">The form stays in your browser. After this step you send it by email.</p>
        </div>
      </form>
      {filled && <ApplicationSent application={filled} model={model} />}
    </>
  )
}

/** The fields about the person. Their values live in the page, as the browser's validation and autofill expect. */
const Applicant = () => (
  <>
    <div className="field-row">
      <ApplicationField name="fullName" label={labels.fullName}>
        {common => <input {...common} type="text" autoComplete="name" required />}
      </ApplicationField>
      <ApplicationField name="email" label={labels.email}>
        {common => <input {...common} type="email" autoComplete="email" required />}
      </ApplicationField>
    </div>
    <div className="field-row">
      <ApplicationField name="phone" label={labels.phone} optional>
        {common => <input {...common} type="tel" autoComplete="tel" />}
      </ApplicationField>
      <ApplicationField name="location" label={labels.location}>
        {common => <input {...common} type="text" placeholder="New Delhi, UTC+5:30" required />}
      </ApplicationField>
    </div>
    <div className="field-row">
      <ApplicationChoice
        name="experience"
        label={labels.experience}
        prompt="Select your experience"
        names={experienceNames}
      />
      <ApplicationChoice
        name="availability"
        label={labels.availability}
        prompt="Select when you could start"
        names={availabilityNames}
      />
    </div>
    <div className="field-row">
      <ApplicationField name="portfolio" label={labels.portfolio} optional>
        {common => <input {...common} type="url" autoComplete="url" placeholder="https://example.com" />}
      </ApplicationField>
      <ApplicationField
        name="resumeLink"
        label={labels.resumeLink}
        help="Must be publicly accessible, e.g. a shared link that anyone with the link can view."
      >
        {common => <input {...common} type="url" placeholder="https://example.com/resume.pdf" required />}
      </ApplicationField>
    </div>
    <ApplicationField
      name="coverLetter"
      label={labels.coverLetter}
      help="What you have done, and why this position. As long as it needs to be."
    >
      {common => <textarea {...common} rows={6} required />}
    </ApplicationField>
  </>
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
