/** There is no document in workers, in tests, and where pages are rendered. */
const { document } = globalThis as { document?: { documentElement: { dataset: { root?: string } } } }

/** Where on its host the site begins: nothing when the host is its own, otherwise such as "/assay". */
export const root: string = document?.documentElement.dataset.root ?? ''
