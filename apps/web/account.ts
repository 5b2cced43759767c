import type { Settings } from './settings.ts'
import type { Head, Page } from './src/page.ts'

/** The pages of an account. No search engine lists them, and no other site learns that they were open. */
export function accountPages({ brand, authBase }: Settings): Page[] {
  const account = { brand, base: authBase }
  const head = (path: string, title: string, description: string): Head => ({
    title: `${title} | ${brand}`,
    description,
    path,
    hidden: true,
    private: true,
    structured: [],
  })
  const returning = 'The way back from signing in with another service.'
  return [
    { kind: 'auth', account, head: head('/auth/', 'Log in or register', `Log in to ${brand}, or create an account.`) },
    { kind: 'return', head: head('/auth/google/callback/', 'Logging you in', returning) },
    { kind: 'return', head: head('/auth/github/callback/', 'Logging you in', returning) },
    { kind: 'profile', account, head: head('/user/profile/', 'User Profile', `Your account with ${brand}.`) },
  ]
}
