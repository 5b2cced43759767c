/** Where a server keeps what belongs to accounts (§7 Auth), below its base. */
export const addresses = {
  register: '/auth/register/',
  login: '/auth/login/',
  refresh: '/auth/refresh/',
  redeem: '/auth/redeem/',
  logout: '/auth/logout/',
  askForReset: '/auth/password-change/',
  reset: '/auth/password-reset/confirm/',
  verifyAgain: '/auth/verify-email/',
  profile: '/user/profile/',
  sessions: '/user/sessions/',
  keys: '/user/keys/',
  usage: '/user/usage/',
  export: '/user/export/',
} as const

/** Where the sign-in with another service begins. */
export const signInWith = (provider: string): string => `/auth/${provider}/login/`

/** One of a list. */
export const oneOf = (list: string, id: string): string => `${list}${encodeURIComponent(id)}/`
