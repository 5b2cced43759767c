export type Notice = 'success' | 'error' | 'blank' | 'custom' | 'loading'

/** Shows a toast. The code that draws toasts is loaded with the first of them. */
export function notify(kind: Notice, text: string): void {
  window.dispatchEvent(new CustomEvent('assay:toast', { detail: { kind, text } }))
}
