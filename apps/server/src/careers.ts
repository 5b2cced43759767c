import type { JsonSchema } from '@assay/kit'
import {
  checkEmail,
  checkLine,
  checkText,
  type Form,
  type Inbox,
  invalid,
  readFilled,
  readOptional,
  type Values,
  type Wanted,
} from './inbox.ts'
import type { Limits } from './limits.ts'

/** The form of the careers page, as the build of the site describes it. */
export interface ApplicationForm {
  fields: readonly ApplicationField[]
  /** Which types of employment each position offers. */
  types: Readonly<Record<string, readonly string[]>>
}

interface ApplicationField {
  name: string
  label: string
  kind: 'choice' | 'name' | 'email' | 'line' | 'url' | 'text'
  optional?: boolean
  /** What can be chosen, and what it is called. */
  options?: Readonly<Record<string, string>> | undefined
}

/** Applications: read by the rules that the browser has for the form, and mailed as a text with a line a field. */
export function careersForm({ brand, limits }: Pick<Inbox, 'brand' | 'limits'>, form: ApplicationForm): Form {
  return {
    url: '/api/careers/',
    summary: 'Apply for a position.',
    schema: schemaOf(form.fields, limits),
    thanks: "Application submitted successfully! We'll get back to you soon.",
    read(values) {
      const read = form.fields.map(field => ({ ...field, value: readField(values, field, limits) }))
      const found = (of: (field: ApplicationField) => boolean) => read.find(of)?.value ?? ''
      const role = found(({ name }) => name === 'selectedRole')
      if (!form.types[role]?.includes(found(({ name }) => name === 'applicationType'))) {
        throw invalid('applicationType', 'Expected an application type that the position offers.')
      }
      const name = found(({ kind }) => kind === 'name')
      const shown = read.map(field => ({ ...field, value: field.options?.[field.value] ?? field.value }))
      const lines = shown.filter(({ kind }) => kind !== 'text')
      const letters = shown.filter(({ kind }) => kind === 'text')
      const text = [
        `Application to ${brand}`,
        '',
        ...lines.map(({ label, value }) => `${label}: ${value || 'not given'}`),
        ...letters.flatMap(({ label, value }) => ['', `${label}:`, '', value]),
        '',
      ].join('\n')
      const title = shown.find(({ name }) => name === 'selectedRole')?.value ?? ''
      return {
        name,
        email: found(({ kind }) => kind === 'email'),
        text,
        mail: { subject: `${brand}: application, ${title}, ${name}`, text },
      }
    },
  }
}

function readField(values: Values, { name: field, label, kind, optional, options }: ApplicationField, limits: Limits) {
  const wanted: Wanted = { field, what: `the field ${label}`, characters: charactersOf(kind, limits) }
  const value = optional ? readOptional(values, wanted) : readFilled(values, wanted)
  if (kind === 'text') return checkText(value, wanted)
  if (kind === 'email') return checkEmail(value, wanted)
  if (kind === 'choice' && !Object.hasOwn(options ?? {}, value)) {
    throw invalid(field, `Expected one of the choices for ${wanted.what}.`)
  }
  // As the browser's own rule for addresses: any scheme, but a whole address.
  if (kind === 'url' && value && !URL.canParse(value)) {
    throw invalid(field, `Expected ${wanted.what} as a whole address such as https://example.com/.`)
  }
  return checkLine(value, wanted)
}

function charactersOf(kind: ApplicationField['kind'], limits: Limits): number {
  if (kind === 'name') return limits.contactNameCharacters
  if (kind === 'email') return limits.contactEmailCharacters
  return kind === 'text' ? limits.contactMessageCharacters : limits.applicationLineCharacters
}

function schemaOf(fields: readonly ApplicationField[], limits: Limits): JsonSchema {
  const property = ({ label, kind, options }: ApplicationField): JsonSchema => ({
    type: 'string',
    title: label,
    ...(options ? { enum: Object.keys(options) } : { maxLength: charactersOf(kind, limits) }),
    ...(kind === 'email' && { format: 'email' }),
    ...(kind === 'url' && { format: 'uri' }),
  })
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field.name, property(field)])),
    required: fields.filter(({ optional }) => !optional).map(({ name }) => name),
  }
}
