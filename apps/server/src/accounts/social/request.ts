import type { CustomFetch } from 'openid-client'
import type { Limits } from '../../limits.ts'
import { ProviderFailure } from './provider.ts'

/**
 * Requests to the providers. They do not go through packages/net: that door is for targets that visitors name, sends
 * nothing but safe methods without credentials, and opens the ports of the tools only. These go, like mails and
 * questions to PostgreSQL, where whoever runs the site sends them. No redirect is followed, and no answer may be late
 * or long: it is read as a whole before anybody parses it.
 */
export function createProviderFetch({ providerMs, providerBytes }: Limits): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const late = AbortSignal.timeout(providerMs)
    const response = await fetch(url, {
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: body ?? null,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([late, signal]) : late,
    })
    const { status, statusText, headers: received } = response
    const bytes = await readWhole(response, providerBytes)
    return new Response(bytes.length > 0 ? bytes : null, { status, statusText, headers: received })
  }
}

async function readWhole({ body }: Response, most: number): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.length
    if (length > most) throw new ProviderFailure('the answer is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
