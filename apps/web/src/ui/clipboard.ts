import { notify } from './notify.ts'

/** Puts a text on the clipboard; false, with a word to the visitor, when the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    notify('error', 'The browser refused the clipboard. Select the text and copy it yourself.')
    return false
  }
}
