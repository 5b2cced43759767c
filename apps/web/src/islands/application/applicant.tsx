import { availabilityNames, experienceNames } from '../../application.ts'
import { ApplicationChoice, ApplicationField } from './field.tsx'

/** The fields about the person. Their values live in the page, as the browser's validation and autofill expect. */
export const Applicant = () => (
  <>
    <div className="field-row">
      <ApplicationField name="fullName">
        {common => <input {...common} type="text" autoComplete="name" />}
      </ApplicationField>
      <ApplicationField name="email">
        {common => <input {...common} type="email" autoComplete="email" />}
      </ApplicationField>
    </div>
    <div className="field-row">
      <ApplicationField name="phone">{common => <input {...common} type="tel" autoComplete="tel" />}</ApplicationField>
      <ApplicationField name="location">
        {common => <input {...common} type="text" placeholder="New Delhi, UTC+5:30" />}
      </ApplicationField>
    </div>
    <div className="field-row">
      <ApplicationChoice name="experience" prompt="Select your experience" names={experienceNames} />
      <ApplicationChoice name="availability" prompt="Select when you could start" names={availabilityNames} />
    </div>
    <div className="field-row">
      <ApplicationField name="portfolio">
        {common => <input {...common} type="url" autoComplete="url" placeholder="https://example.com" />}
      </ApplicationField>
      <ApplicationField
        name="resumeLink"
        help="Must be publicly accessible, e.g. a shared link that anyone with the link can view."
      >
        {common => <input {...common} type="url" placeholder="https://example.com/resume.pdf" />}
      </ApplicationField>
    </div>
    <ApplicationField name="coverLetter" help="What you have done, and why this position. As long as it needs to be.">
      {common => <textarea {...common} rows={6} />}
    </ApplicationField>
  </>
)
