/** What differs between two installations of the site. */
export interface Settings {
  /** The name in the bar, the titles and the metadata. */
  brand: string
  /** The public address, without a slash at the end. */
  base: string
  /** Where people write to. */
  contact: string
}

/** Settings from the environment, with values that suit a run on one's own machine. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  return {
    brand: env.ASSAY_BRAND || 'Assay',
    base: (env.ASSAY_BASE_URL || 'http://127.0.0.1:8080').replace(/\/+$/, ''),
    contact: env.ASSAY_CONTACT || 'contact@example.com',
  }
}
