/** A key is locked, and what was given does not open it: the one fault of a key that another field answers for. */
export class PassphraseError extends RangeError {
  readonly fault: 'missing' | 'wrong'
  constructor(fault: 'missing' | 'wrong') {
    super(
      fault === 'missing'
        ? 'the private key is locked, so please enter its passphrase'
        : 'the passphrase does not open the private key, or the key is damaged',
    )
    this.name = 'PassphraseError'
    this.fault = fault
  }
}
