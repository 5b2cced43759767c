import { hydrateRoot } from 'react-dom/client'
import { createAsk } from '../account/ask.ts'
import { sayKeptNotice } from '../account/notices.ts'
import { createSession } from '../account/session.ts'
import { createTokens, type Tokens } from '../account/tokens.ts'
import type { AccountModel } from '../page.ts'
import { root } from '../root.ts'
import { ProfileScreen } from './account/profile.tsx'

const island = document.querySelector('[data-island="profile"]')
const data = document.getElementById('profile-data')?.textContent
const tokens = createTokens(localStorage)
if (!isSignedIn(tokens)) location.replace(`${root}/auth/`)
else if (island && data) {
  const model: AccountModel = JSON.parse(data)
  const session = createSession({ tokens, ask: createAsk(model.base || root) })
  hydrateRoot(island, <ProfileScreen session={session} tokens={tokens} />)
  sayKeptNotice()
  // Another tab logged out, or this page came back out of the history after it had been left that way.
  for (const moment of ['storage', 'pageshow']) {
    window.addEventListener(moment, () => {
      if (!isSignedIn(tokens)) location.replace(`${root}/auth/`)
    })
  }
}

/** A browser that lets the site keep nothing has no tokens either. */
function isSignedIn(tokens: Tokens): boolean {
  try {
    return tokens.read() !== undefined
  } catch {
    return false
  }
}
