import { MAX_NESTING, parseSignatures, type Signature } from './abi-type.ts'

/**
 * The JSON form of a contract's interface: Contract ABI Specification of Solidity, §"JSON" and §"Handling tuple
 * types". Every entry is written as the signature it stands for and read as such.
 */

/** Nothing else may get into the signatures that are put together here. */
const NAME = /^[A-Za-z_$][\w$]*$/
const TYPE = /^[a-z]+[0-9x]*(?:\[\d*\])*$/

/** The functions, events and errors of an interface; RangeError for JSON that is none. */
export function parseAbiJson(text: string): Signature[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new RangeError('expected the JSON of an interface, and this is no JSON', { cause })
  }
  const signatures = (Array.isArray(json) ? json : [json]).flatMap(declarationOf)
  if (signatures.length === 0) throw new RangeError('expected at least one function, event or error in the JSON')
  return parseSignatures(signatures.join(';'))
}

/** Whether a text is meant as JSON rather than as a signature. */
export const isAbiJson = (text: string): boolean => /^\s*[[{]/.test(text)

/** An entry as a contract declares it. Constructors and the like have no name to be called by. */
function declarationOf(entry: unknown): string[] {
  if (!isRecord(entry)) throw new RangeError('expected an object for each function, event and error in the JSON')
  const { type = 'function', name, inputs = [], outputs, anonymous } = entry
  if (type !== 'function' && type !== 'event' && type !== 'error') return []
  if (typeof name !== 'string' || !NAME.test(name))
    throw new RangeError('expected a name for each function, event and error in the JSON')
  const returns = outputs === undefined ? '' : ` returns ${listOf(outputs, 0)}`
  return [`${type} ${name}${listOf(inputs, 0)}${anonymous === true ? ' anonymous' : ''}${returns}`]
}

function listOf(parameters: unknown, depth: number): string {
  if (!Array.isArray(parameters)) throw new RangeError('expected a list of parameters in the JSON')
  if (depth > MAX_NESTING) throw new RangeError(`expected at most ${MAX_NESTING} tuples in each other`)
  return `(${parameters.map(parameter => parameterOf(parameter, depth)).join(',')})`
}

/** A tuple has its types beside it instead of within. */
function parameterOf(parameter: unknown, depth: number): string {
  if (!isRecord(parameter) || typeof parameter.type !== 'string' || !TYPE.test(parameter.type)) {
    throw new RangeError('expected a type for each parameter in the JSON')
  }
  const { type, name, components, indexed } = parameter
  const written = type.startsWith('tuple') ? listOf(components, depth + 1) + type.slice('tuple'.length) : type
  const isName = typeof name === 'string' && NAME.test(name)
  return `${written}${indexed === true ? ' indexed' : ''}${isName ? ` ${name}` : ''}`
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
