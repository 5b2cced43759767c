import { type Delivery, deliver, refusalOf } from '../delivery.ts'
import type { Notice } from '../ui/notify.ts'

/** Makes the contact form send. What was written stays until the server has accepted it. */

const form = document.querySelector<HTMLFormElement>('form[data-contact]')
const button = form?.querySelector('button')
if (form && button) {
  form.addEventListener('submit', event => {
    event.preventDefault()
    if (!button.disabled) void send(form, button)
  })
  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLElement) setFault(target, '')
  })
  button.disabled = false
}

/** As in ui/notify.ts; sharing that file would cost every tool page one more request. */
function notify(kind: Notice, text: string): void {
  window.dispatchEvent(new CustomEvent('assay:toast', { detail: { kind, text } }))
}

type Control = HTMLInputElement | HTMLTextAreaElement

const controls = (form: HTMLFormElement): Control[] => [...form.querySelectorAll<Control>('input, textarea')]

async function send(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  const faulty = controls(form).filter(control => {
    const fault = faultOf(control)
    setFault(control, fault)
    return fault
  })
  if (faulty[0]) {
    faulty[0].focus()
    return notify('error', faultOf(faulty[0]))
  }
  button.disabled = true
  button.textContent = 'Sending…'
  try {
    const values = controls(form).map(({ name, value }) => [name, value])
    const answer = await deliver(form.action, Object.fromEntries(values))
    if (answer.ok) {
      form.reset()
      notify('success', 'Your message was sent. We typically answer within 24 hours.')
    } else refuse(form, answer)
  } finally {
    button.disabled = false
    button.textContent = 'Send Message'
  }
}

/** The browser's own rule for addresses; its own words differ from one browser to the next. */
function faultOf(control: Control): string {
  const label = control.labels?.[0]?.textContent?.toLowerCase() ?? ''
  if (control.required && !control.value.trim()) return `Fill in ${label}.`
  return control.validity.valid ? '' : 'Expected an e-mail address such as name@example.com.'
}

function setFault(control: HTMLElement, text: string): void {
  const note = document.getElementById(`${control.id}-error`)
  if (!note) return
  note.textContent = text
  note.hidden = !text
  if (text) control.setAttribute('aria-invalid', 'true')
  else control.removeAttribute('aria-invalid')
}

function refuse(form: HTMLFormElement, delivery: Delivery): void {
  const sentence = refusalOf(delivery, form.dataset.contact ?? '')
  const control = controls(form).find(({ name, type }) => name === delivery.field && type !== 'hidden')
  if (control) {
    setFault(control, sentence)
    control.focus()
  }
  notify('error', sentence)
}
