import { field } from '@assay/kit'

/** The key to sign or decrypt with, and what opens it. `forms` says how it may be written. */
export const privateKeyFields = (forms: string) => ({
  privateKey: field.area('Private key', {
    secret: true,
    placeholder: '-----BEGIN PRIVATE KEY-----',
    takes: ['private-key'],
    help: forms,
  }),
  passphrase: passphraseField(),
})

export const passphraseField = () =>
  field.password('Passphrase', { optional: true, help: 'Where the private key is locked with one.' })

/** The key to check or encrypt with. `forms` says how it may be written; a private key tells its public one. */
export const publicKeyField = (forms: string) =>
  field.area('Public key', {
    placeholder: '-----BEGIN PUBLIC KEY-----',
    takes: ['public-key', 'certificate', 'private-key'],
    help: `${forms} A certificate will do as well.`,
  })
