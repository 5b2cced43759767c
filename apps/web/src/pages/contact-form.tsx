interface Field {
  name: string
  label: string
  autoComplete: string
}

/**
 * The form as it stands in the page. It comes alive in islands/contact-entry.ts; until then its button is off, so that
 * nothing can be sent that the page would then lose.
 */
export function ContactForm({ contact }: { contact: string }) {
  return (
    <form className="tool-form contact-form" method="post" action="/api/contact/" noValidate data-contact={contact}>
      <Line name="name" label="Your Name" autoComplete="name" />
      <Line name="email" label="Your Email" autoComplete="email" />
      <div className="field">
        <Label name="message" label="Your Message" />
        <textarea id="message" name="message" className="input" rows={7} required aria-describedby="message-error" />
        <Fault name="message" />
      </div>
      <div hidden>
        <label htmlFor="website">Leave this field empty</label>
        <input id="website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <div className="form-actions">
        <button type="submit" className="button primary" disabled>
          Send Message
        </button>
      </div>
      <noscript>
        <p>
          The form needs JavaScript. You can also write to <a href={`mailto:${contact}`}>{contact}</a>.
        </p>
      </noscript>
    </form>
  )
}

function Line({ name, label, autoComplete }: Field) {
  return (
    <div className="field">
      <Label name={name} label={label} />
      <input
        id={name}
        name={name}
        className="input"
        type={name === 'email' ? 'email' : 'text'}
        autoComplete={autoComplete}
        required
        aria-describedby={`${name}-error`}
      />
      <Fault name={name} />
    </div>
  )
}

const Label = ({ name, label }: Pick<Field, 'name' | 'label'>) => (
  <div className="field-head">
    <label htmlFor={name}>{label}</label>
  </div>
)

const Fault = ({ name }: Pick<Field, 'name'>) => <p id={`${name}-error`} className="field-error" hidden />
