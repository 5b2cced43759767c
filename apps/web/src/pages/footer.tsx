import type { Site } from '../page.ts'

/** Links every visitor may look for, and the year, which islands/chrome.ts takes from the browser's clock. */
export function Footer({ site }: { site: Site }) {
  return (
    <footer className="footer">
      <div className="mx-auto flex max-w-330 flex-wrap items-center gap-x-6 gap-y-2 px-4 py-6 md:px-6">
        <p>
          © <span data-year="">{site.year}</span> {site.brand}
        </p>
        <nav aria-label="About this site" className="flex flex-wrap gap-x-5 gap-y-1 md:ml-auto">
          {site.footer.map(({ title, href }) => (
            <a key={href} href={href}>
              {title}
            </a>
          ))}
        </nav>
      </div>
    </footer>
  )
}
