import type { Category, Link, MenuEntry, Site } from './src/page.ts'

/** The four links of the "DNS Tools" dropdown, whose names and addresses the specification fixes (§2 Layout). */
const dnsLinks: readonly Link[] = [
  { title: 'Whois Lookup', href: '/dns-tools/whois' },
  { title: 'DNS Lookup', href: '/dns-tools/dns-lookup' },
  { title: 'Reverse DNS', href: '/dns-tools/reverse-dns' },
  { title: 'DNSSEC Check', href: '/dns-tools/dnssec' },
]
const dnsTools: MenuEntry = { title: 'DNS Tools', href: '/dns-tools', links: dnsLinks }

/** The five pages that every visitor may look for (§2 Layout); careers is reached from About Us. */
const footer: readonly Link[] = [
  { title: 'About Us', href: '/about-us' },
  { title: 'Contact Us', href: '/contact-us' },
  { title: 'Disclaimer', href: '/disclaimer/' },
  { title: 'Terms of Service', href: '/terms-of-services' },
  { title: 'Privacy Policy', href: '/privacy-policy' },
]

/** How many tools of a category the mobile menu names. */
const NAMED_TOOLS = 4

/** The menu of the bar and the accordion of small screens, from the categories that have tools. */
export function menuOf(categories: readonly Category[]): Pick<Site, 'menu' | 'accordion' | 'footer'> {
  const network = categories.find(({ slug }) => slug === 'network-tools')
  const others = categories.filter(({ slug }) => slug !== 'dns-tools' && slug !== 'network-tools')
  const first = ({ title, href, tools }: Category): MenuEntry => ({ title, href, links: tools.slice(0, NAMED_TOOLS) })
  return {
    menu: [
      dnsTools,
      ...(network ? [{ title: 'Network', href: network.href, links: network.tools.slice(0, 8) }] : []),
      { title: 'Cryptography', href: '/tools/', links: [...others, { title: 'All tools', href: '/tools/' }] },
    ].map(({ title, href, links }) => ({ title, href, links: links.map(plain) })),
    accordion: [dnsTools, ...[...(network ? [network] : []), ...others].map(first)].map(({ title, href, links }) => ({
      title,
      href,
      links: links.map(plain),
    })),
    footer,
  }
}

const plain = ({ title, href }: Link): Link => ({ title, href })
