import type { ReactNode } from 'react'
import { AuthScreen } from '../islands/account/auth.tsx'
import { ProfileFrame } from '../islands/account/profile-frame.tsx'
import type { AccountModel } from '../page.ts'

/** Where one logs in. */
export const AuthPage = ({ account }: { account: AccountModel }) => (
  <div className="auth">
    <div data-island="auth">
      <AuthScreen model={account} />
    </div>
    <WithoutScript>Logging in needs JavaScript. The tools need no account.</WithoutScript>
  </div>
)

/** The way back from another service; islands/return-entry.ts goes on from here. */
export const ReturnPage = () => (
  <div className="auth">
    <p className="auth-card auth-waiting" role="status">
      Logging you in via social login...
    </p>
    <WithoutScript>Logging in needs JavaScript.</WithoutScript>
  </div>
)

/** The account, which islands/profile-entry.tsx fetches. */
export const ProfilePage = () => (
  <div className="profile">
    <nav aria-label="Breadcrumb" className="crumb">
      <a href="/">Home</a> / <span aria-current="page">User Profile</span>
    </nav>
    <div data-island="profile">
      <ProfileFrame />
    </div>
    <WithoutScript>This page needs JavaScript.</WithoutScript>
  </div>
)

const WithoutScript = ({ children }: { children: ReactNode }) => (
  <noscript>
    <p className="caution">{children}</p>
  </noscript>
)
