import type { Letter } from '../outbox.ts'

/** The mails to account holders. Each says what happened, what to do, and what to do when it was somebody else. */
export interface Mails {
  verify(email: string, token: string): Letter
  known(email: string): Letter
  reset(email: string, token: string): Letter
  passwordChanged(email: string): Letter
  /** A refresh token was used that had been replaced. */
  reused(email: string): Letter
  providerAdded(email: string, provider: string): Letter
}

export interface MailsOptions {
  brand: string
  /** Address of the site, without a final slash. */
  base: string
  contact: string
}

export function createMails({ brand, base, contact }: MailsOptions): Mails {
  const letter = (recipient: string, subject: string, paragraphs: readonly string[]): Letter => ({
    recipient,
    reply_name: brand,
    reply_email: contact,
    subject: `${brand}: ${subject}`,
    text: `${paragraphs.join('\n\n')}\n\n${brand}\n${base}/\n`,
  })
  const signIn = `${base}/auth/`
  const forgotten = `${base}/auth/?mode=reset`
  const withToken = (path: string, token: string) => `${base}${path}token=${encodeURIComponent(token)}`

  return {
    verify: (email, token) =>
      letter(email, 'verify your email', [
        'Open this link to verify your email address. It works for 24 hours:',
        withToken('/auth/verify-email/?', token),
        'If you did not create an account, you need not do anything.',
      ]),
    known: email =>
      letter(email, 'you already have an account', [
        'Somebody, probably you, wanted to create an account with this email address. There is one already.',
        `Log in at ${signIn}, or choose a new password at ${forgotten}`,
        'If it was not you, you need not do anything: nobody was told that the address is known here.',
      ]),
    reset: (email, token) =>
      letter(email, 'reset your password', [
        'Open this link to choose a new password. It works once, within an hour:',
        withToken('/auth/?mode=reset&', token),
        'If you did not ask for it, you need not do anything: your password stays as it is.',
      ]),
    passwordChanged: email =>
      letter(email, 'your password was changed', [
        'The password of your account was changed, and every device was logged out.',
        `API keys go on working. Revoke those that you do not know: ${base}/user/profile/`,
        `If it was not you, choose a new password now: ${forgotten}`,
      ]),
    reused: email =>
      letter(email, 'you were logged out on one device', [
        'A login token of your account was used a second time, so it may have been copied. That login was ended.',
        `Please log in again at ${signIn}. If that happens more than once, choose a new password: ${forgotten}`,
      ]),
    providerAdded: (email, provider) =>
      letter(email, `${provider} sign-in was added`, [
        `From now on you can log in to your account with ${provider} as well.`,
        `If it was not you, choose a new password at ${forgotten} and write to ${contact}.`,
      ]),
  }
}
