import type { ApplicationModel, EmploymentType } from './page.ts'

/** A field of the form to apply with: the page draws it, and the server reads it, by what stands here. */
export interface FieldData {
  label: string
  /** 'choice' is one of a few; 'text' has several lines, all others one. */
  kind: 'choice' | 'name' | 'email' | 'line' | 'url' | 'text'
  optional?: true
}

/** What an applicant fills in, under the names of §3 Application form and the words of §5 Careers. */
export const fields = {
  selectedRole: { label: 'Position', kind: 'choice' },
  applicationType: { label: 'Application Type', kind: 'choice' },
  fullName: { label: 'Full Name', kind: 'name' },
  email: { label: 'Email Address', kind: 'email' },
  phone: { label: 'Phone Number', kind: 'line', optional: true },
  location: { label: 'Location/Timezone', kind: 'line' },
  experience: { label: 'Years of Experience', kind: 'choice' },
  portfolio: { label: 'Portfolio/GitHub URL', kind: 'url', optional: true },
  resumeLink: { label: 'Resume Link', kind: 'url' },
  coverLetter: { label: 'Cover Letter', kind: 'text' },
  availability: { label: 'Availability', kind: 'choice' },
} as const satisfies Record<string, FieldData>

export type FieldName = keyof typeof fields
export type Application = Record<FieldName, string>

export const typeNames: Readonly<Record<EmploymentType, string>> = {
  internship: 'Internship',
  'full-time': 'Full-time',
}

export const experienceNames: Readonly<Record<string, string>> = {
  '0-1': '0-1 (Entry Level)',
  '1-3': '1-3 (Junior)',
  '3-5': '3-5 (Mid-level)',
  '5-8': '5-8 (Senior)',
  '8+': '8+ (Expert)',
}

export const availabilityNames: Readonly<Record<string, string>> = {
  immediately: 'Immediately',
  '2-weeks': '2 weeks',
  '1-month': '1 month',
  '2-months': '2 months',
}

/** What stands in the form. The consent is asked for and not stored (§3 Application form). */
export function readApplication(form: FormData): Application {
  const text = (name: FieldName) => String(form.get(name) ?? '')
  return {
    selectedRole: text('selectedRole'),
    applicationType: text('applicationType'),
    fullName: text('fullName'),
    email: text('email'),
    phone: text('phone'),
    location: text('location'),
    experience: text('experience'),
    portfolio: text('portfolio'),
    resumeLink: text('resumeLink'),
    coverLetter: text('coverLetter'),
    availability: text('availability'),
  }
}

/** The filled form as a text to read: a line for each field, the letter last. */
export function applicationText(application: Application, { brand, roles }: ApplicationModel): string {
  const { selectedRole, applicationType, experience, availability, coverLetter } = application
  const shown: Application = {
    ...application,
    selectedRole: titleOf(selectedRole, roles),
    applicationType: lookUp(typeNames, applicationType),
    experience: lookUp(experienceNames, experience),
    availability: lookUp(availabilityNames, availability),
  }
  const lines = entries(fields)
    .filter(([name]) => name !== 'coverLetter')
    .map(([name, { label }]) => `${label}: ${shown[name] || 'not given'}`)
  return [`Application to ${brand}`, '', ...lines, '', `${fields.coverLetter.label}:`, '', coverLetter, ''].join('\n')
}

/** A mail to the contact address with the whole application in it. RFC 6068 §5: a line ends with %0D%0A. */
export function mailLink(application: Application, model: ApplicationModel): string {
  const subject = `Application: ${titleOf(application.selectedRole, model.roles)}, ${application.fullName}`
  const body = applicationText(application, model).replace(/\r?\n/g, '\r\n')
  return `mailto:${model.contact}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}

/** The filled form as the address of a file, so that saving it asks nobody. */
export const fileLink = (application: Application, model: ApplicationModel): string =>
  `data:text/plain;charset=utf-8,${encodeURIComponent(applicationText(application, model))}`

const titleOf = (slug: string, roles: ApplicationModel['roles']) =>
  roles.find(role => role.slug === slug)?.title ?? slug

const lookUp = (names: Readonly<Record<string, string>>, value: string) =>
  (Object.hasOwn(names, value) ? names[value] : undefined) ?? value

/** The keys of an object literal are what its type says; Object.entries forgets it. */
const entries = <Name extends string, Value>(names: Readonly<Record<Name, Value>>) =>
  Object.entries(names) as [Name, Value][]
