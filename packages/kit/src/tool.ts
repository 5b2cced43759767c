import type { CategorySlug } from './category.ts'
import type { Context, ServerContext } from './context.ts'
import type { FieldData, Fields, InputOf } from './field.ts'
import type { Panel } from './panel.ts'
import type { Recording } from './replay.ts'

/** What a long tool says on its way: how far it is, or what it has found so far. */
export interface Update<R = unknown> {
  /** From 0 to 1; left out when the end is not known. */
  progress?: number
  /** A few words on what is being done now. */
  label?: string
  /** The result as far as it is known, complete in form. */
  partial?: R
}

export type Run<R> = R | Promise<R> | AsyncGenerator<Update<R>, R, void>

/** What a run costs at most, for limits and for the choice of where it runs on the server. */
export interface Cost {
  milliseconds: number
  megabytes: number
}

/** The same with the programs people have. */
export interface Terminal {
  /** For a POSIX shell; build it with `sh`, so that values are quoted. */
  command: string
  /** Text that the command prints too, so that a test can run it and compare. Left out where output varies. */
  prints?: string
}

/** A published case: the button "Try an example", the documentation and the test vector at once. */
export interface Example<I = Record<string, unknown>> {
  /** Document and section, or the program whose output it is. */
  from: string
  title?: string
  /** As typed into the form: every value a string, number, yes/no or, for a file, its text. */
  input: RawInput<I>
  /** The part of the result that the source gives. */
  result: Record<string, unknown>
  /** What the network says in this case. */
  recording?: Recording
}
type RawInput<I> = { [K in keyof I]?: unknown } & Record<string, unknown>

type ContextOf<S> = S extends 'server' ? ServerContext : Context

/** One direction of a tool: what it takes, what it does, how it is shown. */
export interface ActionDefinition<F extends Fields, R, S extends Runs> {
  fields: F
  run(input: InputOf<F>, context: ContextOf<S>): Run<R>
  /** The head and body of a result; without it scalars become facts and lists become tables. */
  show?(result: NoInfer<R>, input: InputOf<F>): Panel[]
  terminal?(input: InputOf<F>, result: NoInfer<R>): Terminal | undefined
  cost?: 'light' | ((input: InputOf<F>) => Cost)
  examples: readonly Example<InputOf<F>>[]
}

export type Runs = 'anywhere' | 'server'

interface ToolHead<S extends Runs> {
  /** Kebab case and unique; also the name of its prose in content/tools. */
  id: string
  /** Address below its category and below /api/. */
  path: string
  title: string
  category: CategorySlug
  /** One sentence. */
  summary: string
  /** The address of its own image for previews, in place of that of the site. */
  ogImage?: string
  /** Other names and words people search for. */
  keywords: readonly string[]
  /** Documents that define it, such as "RFC 4231" or "FIPS 180-4". */
  specs: readonly string[]
  /** 'anywhere': in the visitor's browser and on the server. 'server': needs sockets. */
  runs: S
  /** Why not to use this anew, in one sentence. */
  caution?: string
  /** GET addresses below /api/, fields in braces: "dns-records/{domain}". The longest that can be filled is used. */
  lookups?: readonly string[]
  /** Those of them that answer with the last result while it is no older than this, in milliseconds. */
  freshFor?: Readonly<Record<string, number>>
  /** How much a run asks of others: 'scan' and 'crack' are limited harder than 'lookup'. */
  weight?: 'light' | 'lookup' | 'scan' | 'crack'
  /** What the run button of a lookup says, idle and busy; all others say "Run Tool". */
  button?: readonly [idle: string, busy: string]
  /** Pages below the tool's own that preset one field: /dns-records/mx/. */
  variants?: { field: string; values: readonly string[]; title(value: string): string }
}

export interface OneWay<F extends Fields, R, S extends Runs> extends ToolHead<S>, ActionDefinition<F, R, S> {}

export interface TwoWay<S extends Runs> extends ToolHead<S> {
  /**
   * By the last part of the address: encrypt and decrypt, sign and verify. Built with `action`. One by the name '' is
   * at the address of the tool itself.
   */
  actions: Readonly<Record<string, ActionPart>>
}

/** An action before it knows its tool. */
export interface ActionPart extends AnyAction {
  title?: string
  /** What its tab says where its name with a capital does not do: "TOTP". */
  label?: string
  summary?: string
  /** The action that undoes this one: the result's `from` becomes its field `into`. */
  swap?: { to: string; from: string; into: string }
}

interface AnyAction {
  fields: Fields
  run(input: Input, context: ServerContext): Run<unknown>
  show?: ((result: unknown, input: Input) => Panel[]) | undefined
  terminal?: ((input: Input, result: unknown) => Terminal | undefined) | undefined
  cost: 'light' | ((input: Input) => Cost)
  examples: readonly Example[]
}

/** Field values after reading. */
export type Input = Record<string, unknown>

/** One page, one address, one command: what every door walks. */
export interface Action extends AnyAction {
  /** 'encrypt', or '' for a tool with one way. */
  name: string
  label: string
  /** Below the category and below /api/, without slashes at the ends: "aes/encrypt". */
  path: string
  title: string
  summary: string
  swap?: ActionPart['swap']
}

export interface Tool extends ToolHead<Runs> {
  actions: readonly Action[]
}

/** Defines a tool. Two-way tools give `actions`, others the parts of their one action. */
export function tool<const F extends Fields, R, S extends Runs>(definition: OneWay<F, R, S>): Tool
export function tool<S extends Runs>(definition: TwoWay<S>): Tool
export function tool(definition: OneWay<Fields, unknown, 'server'> | TwoWay<Runs>): Tool {
  if ('actions' in definition) {
    const { actions, ...head } = definition
    return { ...head, actions: Object.entries(actions).map(([name, part]) => place(head, name, part)) }
  }
  const { fields, run, show, terminal, cost, examples, ...head } = definition
  return { ...head, actions: [place(head, '', action({ fields, run, show, terminal, cost, examples }))] }
}

function place(head: ToolHead<Runs>, name: string, part: ActionPart): Action {
  const label = part.label ?? (name ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : 'Both ways')
  const title = part.title ?? (name ? `${head.title} ${label}` : head.title)
  return {
    ...part,
    name,
    label,
    path: name ? `${head.path}/${name}` : head.path,
    title,
    summary: part.summary ?? head.summary,
  }
}

interface Loose<F extends Fields, R, S extends Runs>
  extends Omit<ActionDefinition<F, R, S>, 'show' | 'terminal' | 'cost'>,
    Pick<ActionPart, 'title' | 'label' | 'summary' | 'swap'> {
  show?: ActionDefinition<F, R, S>['show'] | undefined
  terminal?: ActionDefinition<F, R, S>['terminal'] | undefined
  cost?: ActionDefinition<F, R, S>['cost'] | undefined
}

/**
 * One way of a two-way tool. Its types are forgotten here and only here: inside, `run` sees exactly its fields;
 * outside, every door hands it what the reader made of those same fields.
 */
export function action<const F extends Fields, R, S extends Runs = 'anywhere'>(part: Loose<F, R, S>): ActionPart {
  return { cost: 'light', ...withoutUndefined(part) } as unknown as ActionPart
}

function withoutUndefined(part: object): object {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined))
}

/** The fields of an action with what the form and the documents need, format fields of byte fields included. */
export function formFields(fields: Fields): (FieldData & { name: string })[] {
  return Object.entries(fields).map(([name, data]) => ({ name, ...data }))
}
