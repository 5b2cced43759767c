/// <reference path="./tr46.d.ts" />
/**
 * Internationalized names by UTS 46, non-transitional, with CheckBidi and CheckJoiners. CheckHyphens stays off, since
 * registered names such as r3---sn-a.example have "--" as their third and fourth character. The mapping table weighs
 * 200 KB, so only this module knows it.
 */

import tr46 from 'tr46'

const rules = { checkBidi: true, checkJoiners: true, checkHyphens: false, transitionalProcessing: false }

/** The A-label form in lower case; undefined when UTS 46 has none for the name. Lengths are not checked. */
export function toAscii(name: string): string | undefined {
  return tr46.toASCII(name, { ...rules, useSTD3ASCIIRules: false, verifyDNSLength: false }) ?? undefined
}

/** The U-label form of a name in A-label form. */
export function toUnicode(name: string): string {
  const { domain, error } = tr46.toUnicode(name, { ...rules, useSTD3ASCIIRules: false })
  return error ? name : domain
}
