import { positions } from './positions.ts'
import type { Settings } from './settings.ts'
import { availabilityNames, experienceNames, type FieldData, fields, typeNames } from './src/application.ts'
import type { Page } from './src/page.ts'
import { webPage } from './structured.ts'

const path = '/careers/'

interface Form {
  delivers: boolean
}

/** The careers page: its positions in full, and what its form needs of them. */
export function careersPage(settings: Settings, { delivers }: Form = { delivers: false }): Page {
  const { brand, contact } = settings
  const description = `Open positions at ${brand}, what working here is like, and how to apply.`
  return {
    kind: 'careers',
    positions,
    form: {
      brand,
      contact,
      roles: Object.entries(positions).map(([slug, { title, type }]) => ({ slug, title, type })),
      delivers,
    },
    head: {
      title: `Careers | ${brand}`,
      description,
      path,
      structured: [webPage(settings, 'Careers', description, path)],
    },
  }
}

/** The page as the server shows it where applications are delivered, by the file it is written to. */
export const deliveringPages = (settings: Settings): Record<string, Page> => ({
  'careers/delivering.html': careersPage(settings, { delivers: true }),
})

/** The form as the server reads it: its fields, and for those with a choice what there is to choose. */
export function applicationForm() {
  const roles = Object.fromEntries(Object.entries(positions).map(([slug, { title }]) => [slug, title]))
  const options: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    selectedRole: roles,
    applicationType: typeNames,
    experience: experienceNames,
    availability: availabilityNames,
  }
  return {
    fields: Object.entries<FieldData>(fields).map(([name, field]) => ({ name, ...field, options: options[name] })),
    types: Object.fromEntries(Object.entries(positions).map(([slug, { type }]) => [slug, type])),
  }
}
