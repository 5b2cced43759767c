import { createTokens } from '../account/tokens.ts'
import { root } from '../root.ts'

/**
 * Where the sign-in of another provider returns to. The address is replaced before anything else, so that its tokens
 * stay neither in the history nor in what later requests tell about where they come from (OPEN-018).
 */
const query = new URLSearchParams(location.search)
history.replaceState(history.state, '', location.pathname)
location.replace(root + keep(query.get('access'), query.get('refresh')))

/** Keeps the pair, and says where to go on. */
function keep(access: string | null, refresh: string | null): string {
  if (!access || !refresh) return '/auth/'
  try {
    createTokens(localStorage).saveReturned({ access, refresh })
    return '/user/profile/'
  } catch {
    return '/auth/?error=storage'
  }
}
