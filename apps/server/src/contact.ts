import { checkEmail, checkLine, checkText, type Form, type Inbox, readFilled } from './inbox.ts'

/** The form on the contact page. */
export function contactForm({ brand, limits }: Pick<Inbox, 'brand' | 'limits'>): Form {
  const wanted = {
    name: { field: 'name', what: 'your name', characters: limits.contactNameCharacters },
    email: { field: 'email', what: 'your e-mail address', characters: limits.contactEmailCharacters },
    message: { field: 'message', what: 'your message', characters: limits.contactMessageCharacters },
  }
  return {
    url: '/api/contact/',
    summary: 'Write to the people behind this site.',
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Your Name', maxLength: limits.contactNameCharacters },
        email: { type: 'string', title: 'Your Email', format: 'email', maxLength: limits.contactEmailCharacters },
        message: { type: 'string', title: 'Your Message', maxLength: limits.contactMessageCharacters },
      },
      required: ['name', 'email', 'message'],
    },
    thanks: 'Your message was sent. We typically answer within 24 hours.',
    read(values) {
      const name = checkLine(readFilled(values, wanted.name), wanted.name)
      const email = checkEmail(readFilled(values, wanted.email), wanted.email)
      const text = checkText(readFilled(values, wanted.message), wanted.message)
      const mail = { subject: `${brand}: message from ${name}`, text: `${name} <${email}> wrote:\n\n${text}\n` }
      return { name, email, text, mail }
    },
  }
}
