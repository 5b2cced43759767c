import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { type Application, labels, readApplication } from '../../application.ts'
import type { ApplicationModel } from '../../page.ts'
import { Applicant } from './applicant.tsx'
import { ApplicationField } from './field.tsx'
import { ApplicationSent } from './sent.tsx'
import { ApplicationType } from './type.tsx'

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
              // No autocompletion: a value that the browser brought back after a reload would not be known here.
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
