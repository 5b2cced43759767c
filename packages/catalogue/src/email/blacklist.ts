import { badge, mono, type Panel, panel, type ServerContext, type Update } from '@assay/kit'
import { askList, type ListAnswer } from '@assay/lib/dnsbl/listing'
import type { BlockList } from '@assay/lib/dnsbl/zones'
import { registrableDomain } from '@assay/lib/domain/suffix'
import type { MailDns } from '@assay/lib/mail/dns'
import { patient } from './question.ts'

/** Lists that are asked at the same time. */
const AT_ONCE = 10
/** Silent lists take ten seconds each, so a run with many of them ends before its time is up. */
const PATIENCE_MS = 20_000

/** What one list says of one address or name. */
export interface ZoneAnswer extends ListAnswer {
  zone: string
  name: string
  /** The address or name that was asked about. */
  subject: string
  note?: string
}

interface Question {
  list: BlockList
  subject: string
}

/** The lists to ask about an address: over IPv6 those that have such entries. */
export const questionsAbout = (address: string, lists: readonly BlockList[]): Question[] =>
  lists.filter(({ ipv6 }) => ipv6 || !address.includes(':')).map(list => ({ list, subject: address }))

/** Some lists know registrable domains, others hosts. */
export const questionsAboutDomain = (domain: string, lists: readonly BlockList[]): Question[] =>
  lists.map(list => ({ list, subject: list.asks === 'domain' ? (registrableDomain(domain) ?? domain) : domain }))

/** Asks all lists, some at a time, and passes each answer on as it comes; the answers keep the order of the lists. */
export async function* askLists<R>(
  questions: readonly Question[],
  context: ServerContext,
  summarise: (answers: ZoneAnswer[]) => R,
): AsyncGenerator<Update<R>, R, void> {
  const shared = patient(context, PATIENCE_MS)
  const answers = new Map<Question, ZoneAnswer>()
  const waiting = new Map<Question, Promise<void>>()
  const queue = [...questions]
  const ask = async (question: Question) => {
    answers.set(question, await answer(question, shared))
  }
  const inOrder = () => questions.flatMap(question => answers.get(question) ?? [])
  for (;;) {
    while (waiting.size < AT_ONCE && queue.length) {
      const next = queue.shift()
      if (next) waiting.set(next, ask(next))
    }
    if (!waiting.size) return summarise(inOrder())
    await Promise.race(waiting.values())
    for (const question of waiting.keys()) if (answers.has(question)) waiting.delete(question)
    const label = `${answers.size} of ${questions.length} lists asked`
    yield { progress: answers.size / questions.length, label, partial: summarise(inOrder()) }
  }
}

async function answer({ list, subject }: Question, dns: MailDns): Promise<ZoneAnswer> {
  const { zone, name, note } = list
  return { zone, name, subject, ...(await askList(list, subject, dns)), ...(note && { note }) }
}

/** Listed by somebody who accuses: neither by a policy of the network nor by a list of something else. */
export const isAccused = ({ status, kind }: ZoneAnswer): boolean => status === 'listed' && kind === 'spam'

/** Lists by what they say of all addresses asked about; what one of them could not tell makes the list one that could not. */
function countLists(answers: readonly ZoneAnswer[]) {
  const lists = [...new Set(answers.map(({ zone }) => zone))].map(zone => answers.filter(each => each.zone === zone))
  const accusing = lists.filter(each => each.some(isAccused)).length
  const clean = lists.filter(each => each.every(({ status }) => status === 'not listed')).length
  const other = lists.filter(each => each.some(({ status }) => status === 'listed') && !each.some(isAccused)).length
  return { all: lists.length, accusing, clean, other, unknown: lists.length - accusing - clean - other }
}

/** "Not listed on 20 of 22 lists": what could not be told is never counted as clean. */
export function summaryOf(answers: readonly ZoneAnswer[]): string {
  const { all, accusing, clean, other, unknown } = countLists(answers)
  return [
    `${accusing ? `listed on ${accusing}` : `not listed on ${clean}`} of ${all} lists`,
    ...(other ? [`${other} ${other > 1 ? 'have entries' : 'has an entry'} that accuses nobody`] : []),
    ...(unknown ? [`${unknown} could not tell`] : []),
  ].join(', ')
}

/** PASS only when a list answered that there is nothing. */
export function verdictOf(answers: readonly ZoneAnswer[]): 'Ok' | 'Listed' | 'Unknown' {
  const { accusing, clean, other } = countLists(answers)
  if (accusing) return 'Listed'
  return clean || other ? 'Ok' : 'Unknown'
}

const tones = { listed: 'bad', 'not listed': 'good', refused: 'warn', unavailable: 'neutral' } as const

/** What the answers mean for mail from there. */
export function insightPanel(answers: readonly ZoneAnswer[]): Panel[] {
  if (!answers.length) return []
  const texts = {
    Listed:
      'Who asks these lists may refuse mail from there. Their operators say on their own sites how to be removed.',
    Ok: 'No list accuses it now. Lists change by the minute, so this holds for the moment.',
    Unknown: 'No list answered, so this is neither good nor bad news.',
  }
  return [panel.note('info', texts[verdictOf(answers)], 'Insights')]
}

/** All answers, listings first. */
export function answerTable(answers: readonly ZoneAnswer[]): Panel[] {
  if (!answers.length) return []
  const several = new Set(answers.map(({ subject }) => subject)).size > 1
  const order = ['listed', 'refused', 'not listed', 'unavailable']
  return [
    panel.table(
      ['List', ...(several ? ['Asked about'] : []), 'Answer', 'What it says'],
      answers
        .toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
        .map(each => [
          { text: each.name, title: each.zone },
          ...(several ? [mono(each.subject)] : []),
          badge(each.status.toUpperCase(), each.status === 'listed' && !isAccused(each) ? 'warn' : tones[each.status]),
          wordsOf(each),
        ]),
      { title: 'Lists', scroll: true },
    ),
  ]
}

function wordsOf({ meanings, texts, codes, reason, note, status }: ZoneAnswer): string {
  const said = [...meanings, ...texts, ...(status === 'listed' ? [`(${codes.join(', ')})`] : [])].join(' ')
  return reason ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${note ? `. ${note}` : ''}` : said
}

/** Listings by name, for results without details too. */
/** How many lists say what, once any has answered. */
export function countPanel(zones: readonly ZoneAnswer[]): Panel[] {
  if (!zones.length) return []
  const { accusing, clean, other, unknown } = countLists(zones)
  return [
    panel.tiles(
      { label: 'Listed', value: { text: String(accusing), tone: accusing ? 'bad' : 'good' } },
      { label: 'Not listed', value: clean },
      { label: 'Other entries', value: other },
      { label: 'Could not tell', value: unknown },
    ),
  ]
}

export function listingPanel(listings: readonly string[]): Panel[] {
  if (!listings.length) return []
  return [
    panel.list(
      listings.map(zone => ({ text: mono(zone, 'bad') })),
      { title: 'Listings' },
    ),
  ]
}
