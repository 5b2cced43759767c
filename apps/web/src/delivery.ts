/** What came back for a form that was sent. */
export interface Delivery {
  ok: boolean
  /** 0 when nothing came back. */
  status: number
  error: string
  field: string
  waitSeconds: number
}

/** Sends the fields of a form to the server. */
export async function deliver(url: string, values: Readonly<Record<string, string>>): Promise<Delivery> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(values),
    })
    const { ok, status, headers } = response
    const { error = '', field = '' } = await response.json().catch(() => ({}))
    return { ok, status, error, field, waitSeconds: Number(headers.get('retry-after')) }
  } catch {
    return { ok: false, status: 0, error: '', field: '', waitSeconds: 0 }
  }
}

/** Says what to do: mend a field, wait, or write by mail. */
export function refusalOf({ status, error, waitSeconds }: Delivery, contact: string): string {
  if (status === 0) return 'Not sent. Check your internet connection and try again.'
  if (status === 400) return error.replace(/^Validation error: /, '')
  if (status === 429) return `Not sent: too many messages. Try again ${when(waitSeconds)}.`
  return `Not sent. Try again later, or write to ${contact}.`
}

const MINUTE_SECONDS = 60

function when(seconds: number): string {
  if (!(seconds > MINUTE_SECONDS)) return 'in a minute'
  return `in ${Math.ceil(seconds / MINUTE_SECONDS)} minutes`
}
