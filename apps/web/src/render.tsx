import { prerender } from 'react-dom/static'
import type { Page, Site, ViewFacts, Wording } from './page.ts'
import { AuthPage, ProfilePage, ReturnPage } from './pages/account.tsx'
import { ApiDocs } from './pages/api.tsx'
import { CareersPage } from './pages/careers.tsx'
import { HomePage } from './pages/home.tsx'
import { CategoryPage, IndexPage } from './pages/lists.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import { Shell } from './pages/shell.tsx'
import { TextPage } from './pages/text.tsx'
import { ToolScreen } from './pages/tool.tsx'
import type { RunHere } from './views/view.ts'

export { themeScript } from './pages/shell.tsx'

/** The whole document of a page as HTML. */
export async function renderPage(page: Page, site: Site): Promise<string> {
  const { prelude } = await prerender(
    <Shell page={page} site={site}>
      <Body page={page} />
    </Shell>,
  )
  return new Response(prelude).text()
}

function Body({ page }: { page: Page }) {
  switch (page.kind) {
    case 'home':
      return <HomePage page={page} />
    case 'category':
      return <CategoryPage page={page} />
    case 'index':
      return <IndexPage page={page} />
    case 'tool':
      return <ToolScreen page={page} />
    case 'api':
      return <ApiDocs page={page} />
    case 'careers':
      return <CareersPage page={page} />
    case 'auth':
      return <AuthPage account={page.account} />
    case 'return':
      return <ReturnPage />
    case 'profile':
      return <ProfilePage />
    case 'text':
      return <TextPage page={page} />
    case 'not-found':
      return <NotFoundPage page={page} />
  }
}

const modules = import.meta.glob<{ wording?: Partial<Wording>; connect?: readonly string[]; runHere?: RunHere }>(
  './views/*/*.tsx',
  { eager: true },
)

/** What views bring to their pages, by "folder/id". */
export const views: Readonly<Record<string, ViewFacts>> = Object.fromEntries(
  Object.entries(modules).map(([path, { wording, connect, runHere }]) => [
    path.slice('./views/'.length, -'.tsx'.length),
    { wording, connect, here: runHere !== undefined },
  ]),
)
