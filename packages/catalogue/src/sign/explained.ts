import { asFieldProblem } from '@assay/kit'
import { PassphraseError } from '@assay/lib/key/passphrase'

/** What the library refuses, under the name of the field that answers for it: for a locked key, the passphrase. */
export async function explained<T>(name: string, label: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PassphraseError) throw asFieldProblem('passphrase', 'Passphrase', error)
    throw asFieldProblem(name, label, error)
  }
}
