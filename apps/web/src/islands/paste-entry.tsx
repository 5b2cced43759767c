import { hydrateRoot } from 'react-dom/client'
import { Paste } from './paste.tsx'

const root = document.querySelector('[data-island="paste"]')
if (root) hydrateRoot(root, <Paste />)
