import { root } from '../root.ts'
import type { Notice } from './words.ts'

const KEPT = 'notice'

/** As in ui/notify.ts; sharing that file would cost every tool page one more request. */
export function notify({ kind, text }: Notice): void {
  window.dispatchEvent(new CustomEvent('assay:toast', { detail: { kind, text } }))
}

/** Goes to the page to log in, which says the same again: a toast does not outlive its page. */
export function goToLogin(notice: Notice): void {
  notify(notice)
  keepNotice(notice)
  location.replace(`${root}/auth/`)
}

/** Keeps what the next page of this tab says. */
export function keepNotice(notice: Notice): void {
  sessionStorage.setItem(KEPT, JSON.stringify(notice))
}

/** Says what the page before this one left, once. */
export function sayKeptNotice(): void {
  const kept = sessionStorage.getItem(KEPT)
  if (!kept) return
  sessionStorage.removeItem(KEPT)
  const { kind, text }: Notice = JSON.parse(kept)
  notify({ kind, text })
}
