import { equalAddresses, findAddress } from '../ip/address.ts'

/** Whether a certificate is for a host. RFC 9525 §6: alternative names alone, never the common name. */
export function matchesHost(names: readonly { type: string; value: string }[], host: string): boolean {
  const address = findAddress(host)
  return names.some(({ type, value }) => {
    if (!address) return type === 'DNS' && matchesDomain(value, host)
    const own = type === 'IP' ? findAddress(value) : undefined
    return own !== undefined && equalAddresses(own, address)
  })
}

/** §6.3: without regard to case; an asterisk is the whole first label and stands for exactly one. */
function matchesDomain(pattern: string, host: string): boolean {
  const [wanted, found] = [labelsOf(pattern), labelsOf(host)]
  if (wanted.length !== found.length) return false
  return wanted.every((label, index) => label === found[index] || (index === 0 && label === '*' && wanted.length > 1))
}

const labelsOf = (name: string) => name.toLowerCase().replace(/\.$/, '').split('.')
