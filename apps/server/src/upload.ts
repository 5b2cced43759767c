import { type Action, type FileInput, Problem, type Raw } from '@assay/kit'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { DoorError } from './errors.ts'
import type { Limits } from './limits.ts'

/** Room for the text fields and part headers beside a file. */
const FORM_OVERHEAD_BYTES = 2_097_152

const tooLarge = ({ uploadBytes }: Limits) =>
  new DoorError(413, 'too-large', `Validation error: a file may hold at most ${uploadBytes} bytes`, {
    connection: 'close',
  })

const fieldsFirst = () =>
  new Problem(
    'invalid-input',
    'In a form the fields come first and the file last, so that it can be read as it arrives.',
  )

/**
 * Reads a form up to its file, which the tool then reads as it arrives. Files before the last one are held, because
 * a form comes in one order only; together they keep to the limit of one file.
 */
export async function readForm(request: FastifyRequest, action: Action, limits: Limits): Promise<Raw> {
  try {
    return await readParts(request, action, limits)
  } catch (error) {
    throw formFault(error)
  }
}

async function readParts(request: FastifyRequest, action: Action, limits: Limits): Promise<Raw> {
  if (Number(request.headers['content-length']) > limits.uploadBytes + FORM_OVERHEAD_BYTES) throw tooLarge(limits)
  const fileFields = Object.keys(action.fields).filter(name => action.fields[name]?.kind === 'file')
  const raw: Record<string, unknown> = {}
  const parts = request.parts({ limits: formLimits(limits) })[Symbol.asyncIterator]()
  let held = 0
  for (;;) {
    const { done, value: part } = await parts.next()
    if (done) return raw
    if (part.fieldname in raw) throw new Problem('invalid-input', 'A field of the form is there twice.')
    if (part.type === 'field') {
      if (part.valueTruncated) throw tooLarge(limits)
      raw[part.fieldname] = part.value
      continue
    }
    if (!fileFields.includes(part.fieldname)) {
      part.file.destroy()
      throw new Problem(
        'invalid-input',
        `The form holds a file in a field that takes none; files go to ${fileFields.join(', ')}.`,
      )
    }
    const missing = fileFields.filter(name => !(name in raw) && name !== part.fieldname)
    if (missing.length === 0) {
      raw[part.fieldname] = streamed(part, limits, limits.uploadBytes - held, () => refuseMore(parts))
      return raw
    }
    const bytes = await wholeOf(part, limits, limits.uploadBytes - held)
    held += bytes.length
    raw[part.fieldname] = inMemory(part.filename, bytes)
  }
}

const formLimits = ({ uploadBytes, formParts, jsonBytes }: Limits) => ({
  fileSize: uploadBytes + 1,
  parts: formParts,
  fieldSize: jsonBytes,
  fieldNameSize: 100,
  headerPairs: 20,
})

function streamed(
  { file, filename }: MultipartFile,
  limits: Limits,
  most: number,
  after: () => Promise<void>,
): FileInput {
  return {
    name: filename,
    async *stream() {
      yield* counted(file, limits, most)
      await after()
    },
  }
}

async function* counted(file: AsyncIterable<Uint8Array>, limits: Limits, most: number): AsyncGenerator<Uint8Array> {
  let length = 0
  try {
    for await (const chunk of file) {
      length += chunk.length
      if (length > most) throw tooLarge(limits)
      yield chunk
    }
  } catch (error) {
    throw formFault(error)
  }
}

async function wholeOf({ file }: MultipartFile, limits: Limits, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of counted(file, limits, most)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const inMemory = (name: string, bytes: Uint8Array): FileInput => ({
  name,
  size: bytes.length,
  stream: async function* () {
    yield bytes
  },
})

async function refuseMore(parts: AsyncIterator<unknown>): Promise<void> {
  const { done } = await parts.next()
  if (!done) throw fieldsFirst()
}

/** What the form parser throws of its own is about the form. */
function formFault(error: unknown): unknown {
  if (error instanceof Problem || error instanceof DoorError || !(error instanceof Error) || 'statusCode' in error) {
    return error
  }
  return new DoorError(400, 'invalid-input', 'Validation error: the form is not properly built, or it breaks off', {
    connection: 'close',
  })
}
