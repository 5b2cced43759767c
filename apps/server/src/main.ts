import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// A start spends most of its time on types to be stripped and code to be compiled. What comes of that is kept where
// nobody else may write, and where we may not either, each start takes as long as the first.
enableCompileCache(fileURLToPath(new URL('../../../.cache/compiled/', import.meta.url)))
await import('./serve.ts')
