import { hydrateRoot } from 'react-dom/client'
import type { ToolModel } from '../page.ts'
import { Tool } from './tool.tsx'

const root = document.querySelector('[data-island="tool"]')
const data = document.getElementById('tool-data')?.textContent
if (root && data) {
  const model: ToolModel = JSON.parse(data)
  hydrateRoot(root, <Tool model={model} />)
}
