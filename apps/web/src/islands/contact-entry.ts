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
    const answer = await post(form)
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

interface Answer {
  ok: boolean
  /** 0 when there was none. */
  status: number
  error: string
  field: string
  waitSeconds: number
}

async function post(form: HTMLFormElement): Promise<Answer> {
  const none: Answer = { ok: false, status: 0, error: '', field: '', waitSeconds: 0 }
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(controls(form).map(({ name, value }) => [name, value]))),
    })
    const { ok, status, headers } = response
    const { error = '', field = '' } = await response.json().catch(() => ({}))
    return { ok, status, error, field, waitSeconds: Number(headers.get('retry-after')) }
  } catch {
    return none
  }
}

/** Says what to do: mend a field, wait, or write by mail. */
function refuse(form: HTMLFormElement, { status, error, field, waitSeconds }: Answer): void {
  const sentence = error.replace(/^Validation error: /, '')
  const control = controls(form).find(({ name, type }) => name === field && type !== 'hidden')
  if (control) {
    setFault(control, sentence)
    control.focus()
  }
  if (status === 0) notify('error', 'Not sent. Check your internet connection and try again.')
  else if (status === 400) notify('error', sentence)
  else if (status === 429) notify('error', `Not sent: too many messages. Try again ${when(waitSeconds)}.`)
  else notify('error', `Not sent. Try again later, or write to ${form.dataset.contact}.`)
}

const MINUTE_SECONDS = 60

function when(seconds: number): string {
  if (!(seconds > MINUTE_SECONDS)) return 'in a minute'
  return `in ${Math.ceil(seconds / MINUTE_SECONDS)} minutes`
}
