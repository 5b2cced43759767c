import { addresses } from '../../account/addresses.ts'

/** What the screen is for; `choose` has come from the link of a mail and sets a new password. */
export type Mode = 'login' | 'register' | 'reset' | 'choose'

interface Screen {
  heading: string
  lead: string
  button: string
  busy: string
  /** Where the form is sent. */
  path: string
  /** What a success says. */
  success: string
  /** The title of the document, before the name of the site. */
  title: string
}

export const screens: Readonly<Record<Mode, Screen>> = {
  login: {
    heading: 'Welcome Back',
    lead: 'Log in for your API keys and your usage. No tool needs an account.',
    button: 'Login',
    busy: 'Logging in…',
    path: addresses.login,
    success: 'Login successful!',
    title: 'Log in or register',
  },
  register: {
    heading: 'Create an Account',
    lead: 'For API keys with higher limits, and a view of your usage. No tool needs an account.',
    button: 'Register',
    busy: 'Registering…',
    path: addresses.register,
    success: 'Registered! Please verify your email.',
    title: 'Create an account',
  },
  reset: {
    heading: 'Reset Password',
    lead: 'Enter the address of your account. The link we send there lets you choose a new password.',
    button: 'Send Reset Link',
    busy: 'Sending…',
    path: addresses.askForReset,
    success: 'Password reset link sent to email.',
    title: 'Reset password',
  },
  choose: {
    heading: 'Reset Password',
    lead: 'Choose a new password. It logs out every device that is logged in now.',
    button: 'Set New Password',
    busy: 'Saving…',
    path: addresses.reset,
    success: 'Password changed. Please log in.',
    title: 'Reset password',
  },
}

/** The mode that an address asks for. */
export function modeOf(query: URLSearchParams): Mode {
  const mode = query.get('mode')
  if (mode === 'reset') return query.get('token') ? 'choose' : 'reset'
  return mode === 'register' ? mode : 'login'
}

/** The query under which a mode is found again; a token is in none. */
export const queryOf = (mode: Mode): string => (mode === 'login' ? '' : `?mode=${mode === 'choose' ? 'reset' : mode}`)
