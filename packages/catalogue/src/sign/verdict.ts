import { type Panel, panel } from '@assay/kit'

/** The head of a verification: whether the signature holds, and why not. */
export const verdictBanner = ({ valid, reason }: { valid: boolean; reason?: string | undefined }): Panel =>
  valid
    ? panel.banner('good', 'The signature is valid', {
        badge: 'VALID',
        detail: 'The message is unchanged, and the holder of the key signed it.',
      })
    : panel.banner('bad', 'The signature is not valid', { badge: 'INVALID', detail: reason ?? '' })

/** A clause of the library as a sentence. */
export const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`
