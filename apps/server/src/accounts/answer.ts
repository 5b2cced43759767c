import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DoorError, type Failure, failureOf, Gone, Wait } from '../errors.ts'
import { dataHeaders } from '../headers.ts'
import { type Log, outcomes } from '../log.ts'
import { logBug } from '../tools.ts'

/** A refusal of the account pages; the message is the `detail` that they show. */
export class AccountError extends DoorError {}

const SECONDS_PER_MINUTE = 60

function inWords(seconds: number): string {
  const [count, unit] =
    seconds < SECONDS_PER_MINUTE ? [seconds, 'second'] : [Math.ceil(seconds / SECONDS_PER_MINUTE), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** What these pages say in place of the sentences that the tools use. */
function detailOf(error: unknown, { body }: Failure): string {
  if (error instanceof Wait && error.code === 'limited')
    return `Too many attempts. Try again in ${inWords(error.retryAfterSeconds)}.`
  if (error instanceof Wait)
    return `Accounts are not available at the moment. Try again in ${inWords(error.retryAfterSeconds)}.`
  if (body.code === 'unsupported-media-type') return 'Send the body as application/json.'
  return body.error.replace(
    /^Validation error: (.)(.*?)\.?$/,
    (_, first: string, rest: string) => `${first.toUpperCase()}${rest}.`,
  )
}

/** Failures of these routes have a `detail`, and no answer of theirs is kept anywhere. */
export function answerLikeAccounts(app: FastifyInstance, log: Log): void {
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(dataHeaders)
  })
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Gone) return reply.hijack()
    logBug(log, request, error)
    const failure = failureOf(error, request.id)
    const { code, request: id } = failure.body
    outcomes.set(reply, code)
    return reply
      .code(failure.status)
      .headers({ ...dataHeaders, ...failure.headers })
      .send({ detail: detailOf(error, failure), code, ...(id && { request: id }) })
  })
}

/** The fields of a body that may have no others, so that nothing is taken over by accident. */
export function bodyOf<Name extends string>(
  { body }: FastifyRequest,
  names: readonly Name[],
): Readonly<Record<Name, unknown>> {
  const expected = names.length ? `a JSON object with ${names.join(' and ')}` : 'an empty JSON object'
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const entries = isObject ? Object.entries(body) : []
  if (!isObject || entries.some(([name]) => !names.some(known => known === name)))
    throw new AccountError(400, 'invalid-input', `Expected ${expected}, and no other fields.`)
  return Object.fromEntries(names.map(name => [name, entries.find(([found]) => found === name)?.[1]])) as Record<
    Name,
    unknown
  >
}

/** Waits until an answer is so old that its time tells nothing. */
export async function evenly<T>(leastMs: number, work: () => Promise<T>): Promise<T> {
  const least = new Promise(resolve => setTimeout(resolve, leastMs))
  try {
    return await work()
  } finally {
    await least
  }
}
