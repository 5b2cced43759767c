/**
 * The builds of hash-wasm that hold one algorithm each. Its main module carries all of them, 79 KB compressed, and
 * whoever imports a part of it in two places gets the whole in one chunk; these are 3 to 12 KB.
 */
declare module 'hash-wasm/dist/*.umd.min.js' {
  const build: typeof import('hash-wasm')
  export default build
}
