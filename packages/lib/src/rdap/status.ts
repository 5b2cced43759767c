/** RDAP status values and the EPP status codes they stand for. RFC 8056 §2, RFC 9083 §10.2.2. */

const eppStatuses: ReadonlyMap<string, string> = new Map(
  Object.entries({
    active: 'ok',
    'add period': 'addPeriod',
    associated: 'linked',
    'auto renew period': 'autoRenewPeriod',
    'client delete prohibited': 'clientDeleteProhibited',
    'client hold': 'clientHold',
    'client renew prohibited': 'clientRenewProhibited',
    'client transfer prohibited': 'clientTransferProhibited',
    'client update prohibited': 'clientUpdateProhibited',
    inactive: 'inactive',
    'pending create': 'pendingCreate',
    'pending delete': 'pendingDelete',
    'pending renew': 'pendingRenew',
    'pending restore': 'pendingRestore',
    'pending transfer': 'pendingTransfer',
    'pending update': 'pendingUpdate',
    'redemption period': 'redemptionPeriod',
    'renew period': 'renewPeriod',
    'server delete prohibited': 'serverDeleteProhibited',
    'server hold': 'serverHold',
    'server renew prohibited': 'serverRenewProhibited',
    'server transfer prohibited': 'serverTransferProhibited',
    'server update prohibited': 'serverUpdateProhibited',
    'transfer period': 'transferPeriod',
  }),
)

const eppNames = new Map([...eppStatuses.values()].map(name => [name.toLowerCase(), name]))

/** The EPP name of a status, however a registry writes it; one that EPP does not know stays as it is. */
export function eppStatus(text: string): string {
  const [word = ''] = text.trim().split(/\s+(?=\(?https?:)/)
  const name =
    eppStatuses.get(word.toLowerCase().replaceAll('_', ' ')) ?? eppNames.get(word.toLowerCase().replace(/[\s_-]/g, ''))
  return name ?? word
}
