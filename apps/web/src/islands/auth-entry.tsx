import { hydrateRoot } from 'react-dom/client'
import { sayKeptNotice } from '../account/notices.ts'
import type { AccountModel } from '../page.ts'
import { takeArrival } from './account/arrival.ts'
import { AuthScreen } from './account/auth.tsx'

const root = document.querySelector('[data-island="auth"]')
const data = document.getElementById('auth-data')?.textContent
if (root && data) {
  const model: AccountModel = JSON.parse(data)
  hydrateRoot(root, <AuthScreen model={model} arrival={takeArrival()} />)
  sayKeptNotice()
}
