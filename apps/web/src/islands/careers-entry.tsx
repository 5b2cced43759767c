import { hydrateRoot } from 'react-dom/client'
import type { ApplicationModel } from '../page.ts'
import { ApplicationForm } from './application/form.tsx'

const root = document.querySelector('[data-island="careers"]')
const data = document.getElementById('careers-data')?.textContent
if (root && data) {
  const model: ApplicationModel = JSON.parse(data)
  hydrateRoot(root, <ApplicationForm model={model} />)
}
