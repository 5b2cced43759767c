import { openssl } from './command.ts'
import { digestTool } from './digest.ts'

/** The European hash functions of 1996, one of which Bitcoin made famous. ISO/IEC 10118-3. */
export const ripemd = digestTool({
  id: 'ripemd',
  title: 'RIPEMD Hash Generator',
  summary: 'The RIPEMD-128, RIPEMD-160, RIPEMD-256 or RIPEMD-320 hash of a text or of bytes.',
  keywords: ['ripemd160', 'rmd160', 'ripemd128', 'ripemd256', 'ripemd320', 'hash160', 'bitcoin address', 'digest'],
  specs: ['ISO/IEC 10118-3', 'Dobbertin, Bosselaers, Preneel 1996'],
  caution: 'At 160 bits a collision costs 2^80 steps at most and at 128 bits 2^64, so use SHA-256 for anything new.',
  algorithms: ['RIPEMD-128', 'RIPEMD-160', 'RIPEMD-256', 'RIPEMD-320'],
  default: 'RIPEMD-160',
  weak: {
    'RIPEMD-128': 'With 128 bits a collision takes 2^64 steps, which can be bought.',
    'RIPEMD-256': 'The 256 bits carry no more strength than the 128 of RIPEMD-128; that is how it was specified.',
    'RIPEMD-320': 'The 320 bits carry no more strength than the 160 of RIPEMD-160; that is how it was specified.',
  },
  programs: { 'RIPEMD-160': openssl('ripemd160') },
  examples: [
    {
      from: 'RIPEMD-160 page of Bosselaers',
      input: { input_text: 'abc' },
      result: { hash: '8eb208f7e05d987a9b044a8e98c6b087f15a0bfc' },
    },
    {
      from: 'RIPEMD-160 page of Bosselaers',
      title: '128 bits',
      input: { input_text: 'message digest', algorithm: 'RIPEMD-128' },
      result: { hash: '9e327b3d6e523062afc1132d7df9d1b8' },
    },
    {
      from: 'RIPEMD-160 page of Bosselaers',
      title: '256 bits',
      input: { input_text: 'abc', algorithm: 'RIPEMD-256' },
      result: { hash: 'afbd6e228b9d8cbbcef5ca2d03e6dba10ac0bc7dcbe4680e1e42d2e975459b65' },
    },
    {
      from: 'RIPEMD-160 page of Bosselaers',
      title: '320 bits',
      input: { input_text: 'abc', algorithm: 'RIPEMD-320' },
      result: { hash: 'de4c01b3054f8930a79d09ae738e92301e5a17085beffdc1b8d116713e74f82fa942d64cdbc4682d' },
    },
  ],
})
