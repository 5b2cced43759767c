interface Policy {
  createScriptURL(url: string): string
}

declare global {
  var trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined
}

/** The one kind of script address the site makes at run time: its own origin's. */
function ownScript(url: string): string {
  const { origin, href } = new URL(url, location.href)
  if (origin !== location.origin) throw new TypeError('a script of another origin was refused')
  return href
}

const policy = globalThis.trustedTypes?.createPolicy('assay', { createScriptURL: ownScript })

/** An address for workers and service workers, as `require-trusted-types-for 'script'` asks. */
export const trustedScript = (url: string): string => (policy ? policy.createScriptURL(url) : ownScript(url))
