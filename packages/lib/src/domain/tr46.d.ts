declare module 'tr46' {
  interface Options {
    checkHyphens?: boolean
    checkBidi?: boolean
    checkJoiners?: boolean
    useSTD3ASCIIRules?: boolean
    transitionalProcessing?: boolean
    ignoreInvalidPunycode?: boolean
  }
  const tr46: {
    toASCII(name: string, options?: Options & { verifyDNSLength?: boolean }): string | null
    toUnicode(name: string, options?: Options): { domain: string; error: boolean }
  }
  export default tr46
}
