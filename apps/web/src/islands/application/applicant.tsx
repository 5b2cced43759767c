import { availabilityNames, experienceNames, labels } from '../../application.ts'
import { ApplicationChoice, ApplicationField } from './field.tsx'

/** The fields about the person. Their values live in the page, as the browser's validation and autofill expect. */
export const Applicant = () => (
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
