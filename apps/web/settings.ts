/** What differs between two installations of the site. */
export interface Settings {
  /** The name in the bar, the titles and the metadata. */
  brand: string
  /** The public address, without a slash at the end. */
  base: string
  /** Where people write to. */
  contact: string
  /** Where the accounts are kept, without a slash at the end; empty for the server that the pages come from. */
  authBase: string
}

/** What suits a run on one's own machine, and stands for what the server puts in its place when it starts. */
export const standIns = { base: 'http://127.0.0.1:8080', contact: 'contact@example.com' }

/**
 * The name comes from the environment, as it stands in too many sentences to be put there later; and where the accounts
 * are, which hardly anybody sets.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const authBase = (env.ASSAY_AUTH_BASE || '').replace(/\/+$/, '')
  return { brand: env.ASSAY_BRAND || 'Assay', authBase, ...standIns }
}
