import { type DmarcRecord, policiesOf, type ReportAddress, removedTags, usableAddresses } from '@assay/lib/mail/dmarc'
import type { Discovery, ReportPermission } from '@assay/lib/mail/dmarc-discovery'
import { failure, ok, type Validation, warning } from './validation.ts'

/** The record that holds, its surroundings and where its reports go, judged. RFC 9989 §4.7 and §4.10. */
export function validateDmarc(
  discovery: Discovery,
  record: DmarcRecord,
  reports: readonly ReportPermission[],
): Validation[] {
  return [
    ok('Record', `found at _dmarc.${discovery.policyDomain}`),
    ...several(discovery),
    ok('Version', 'v=DMARC1 comes first, as written'),
    record.list.problems.length
      ? warning('Syntax', record.list.problems.join('; '))
      : ok('Syntax', 'every tag can be read'),
    ...policyRows(discovery, record),
    ...oldTags(record),
    ...unknownTags(record),
    ...aggregateReports(record),
    ...addressRows(record.ruf, 'Failure reports'),
    ...reports.flatMap(permissionRows),
    ...alignmentRows(record),
  ]
}

function several({ steps }: Discovery): Validation[] {
  return steps.flatMap(({ found, name, values, reason }) =>
    found === 'multiple'
      ? [failure('One record', `${values.length} records at ${name}, so all of them are thrown away`)]
      : found === 'unknown'
        ? [warning('Tree walk', `${name} could not be asked for: ${reason}`)]
        : [],
  )
}

function policyRows({ policy, appliedPolicy, policyTag, source }: Discovery, record: DmarcRecord): Validation[] {
  const name = 'Policy'
  if (!policiesOf(record))
    return [failure(name, 'there is no valid policy and no address for reports, so DMARC is off')]
  if (policyTag === 'default') {
    return [
      record.invalidPolicy
        ? failure(name, 'a policy tag is not none, quarantine or reject, so the policy is none')
        : warning(name, 'p= is missing, which counts as none while there is an address for reports'),
    ]
  }
  const from = source === 'author' ? '' : `, from ${policyTag}=`
  const rows = [
    policy === 'none' ? warning(name, `none${from}: mail that fails is not stopped`) : ok(name, `${policy}${from}`),
  ]
  if (appliedPolicy !== policy) rows.push(warning('Testing', `t=y: ${appliedPolicy} is applied in place of ${policy}`))
  return rows
}

function oldTags({ list }: DmarcRecord): Validation[] {
  return list.tags.flatMap(({ name, value }) =>
    removedTags[name] ? [warning(`Tag ${name}`, `${name}=${value} is no longer read: ${removedTags[name]}`)] : [],
  )
}

const knownTags = ['v', 'p', 'sp', 'np', 'rua', 'ruf', 'adkim', 'aspf', 'fo', 't', 'psd']

function unknownTags({ list }: DmarcRecord): Validation[] {
  const names = list.tags.map(({ name }) => name).filter(name => !knownTags.includes(name) && !removedTags[name])
  return names.length ? [warning('Unknown tags', `ignored: ${names.join(', ')}`)] : []
}

function aggregateReports({ rua }: DmarcRecord): Validation[] {
  const name = 'Aggregate reports'
  if (!rua.length) return [warning(name, 'no rua=, so nobody tells what fails')]
  const usable = usableAddresses(rua).length
  return [
    usable
      ? ok(name, `to ${usable} ${usable > 1 ? 'addresses' : 'address'}`)
      : failure(name, 'rua= holds no address that receivers can use'),
    ...addressRows(rua, name),
  ]
}

function addressRows(addresses: readonly ReportAddress[], name: string): Validation[] {
  return addresses.flatMap(({ uri, problem, limit }) => [
    ...(problem ? [warning(name, `${uri}: ${problem}`)] : []),
    ...(limit ? [warning(name, `${uri}: the size limit !${limit} is no longer read`)] : []),
  ])
}

function permissionRows({ domain, external, name, permitted, mail, reason }: ReportPermission): Validation[] {
  const rows: Validation[] = []
  if (external && permitted === undefined) {
    rows.push(warning('External reports', `${name} could not be asked for: ${reason ?? 'no answer'}`))
  } else if (external) {
    rows.push(
      permitted
        ? ok('External reports', `${domain} takes them, as ${name} says`)
        : failure('External reports', `${domain} has no record at ${name}, so none are sent there`),
    )
  }
  if (mail === false) rows.push(failure('Report mail', `${domain} takes no mail`))
  return rows
}

function alignmentRows({ list }: DmarcRecord): Validation[] {
  return list.tags.flatMap(({ name, value }) =>
    (name === 'adkim' || name === 'aspf') && !/^[rs]$/i.test(value)
      ? [warning(`Tag ${name}`, `"${value}" is not r or s, so r is taken`)]
      : (name === 't' && !/^[yn]$/i.test(value)) || (name === 'psd' && !/^[ynu]$/i.test(value))
        ? [warning(`Tag ${name}`, `"${value}" is no value that is known, so it is ignored`)]
        : [],
  )
}
