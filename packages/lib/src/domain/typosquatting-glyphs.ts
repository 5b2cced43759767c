/**
 * What letters and digits are taken for at a glance. The pairs are those that dnstwist tries (Apache 2.0,
 * github.com/elceef/dnstwist, 20221213), so that its findings are found here too: facts about shapes, kept apart from
 * the wider table of confusables.ts.
 */

/** Look-alikes within ASCII, separated by spaces. */
export const asciiGlyphs: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'l i',
  3: '8',
  6: '9',
  8: '3',
  9: '6',
  b: 'd lb',
  c: 'e',
  d: 'b cl dl',
  e: 'c',
  g: 'q',
  h: 'lh',
  i: '1 l',
  k: 'lk ik lc',
  l: '1 i',
  m: 'n nn rn rr',
  n: 'm r',
  o: '0',
  q: 'g',
  w: 'vv',
}

/** Look-alikes that make an internationalized name. */
export const otherGlyphs: Readonly<Record<string, string>> = {
  2: 'ƻ',
  5: 'ƽ',
  a: 'àáâãäåɑạǎăȧąə',
  b: 'ʙɓḃḅḇƅ',
  c: 'ƈċćçčĉᴄ',
  d: 'ɗđďɖḑḋḍḏḓ',
  e: 'éèêëēĕěėẹęȩɇḛ',
  f: 'ƒḟ',
  g: 'ɢɡġğǵģĝǧǥ',
  h: 'ĥȟħɦḧḩⱨḣḥḫẖ',
  i: 'íìïıɩǐĭỉịɨȋīɪ',
  j: 'ʝǰɉĵ',
  k: 'ḳḵⱪķᴋ',
  l: 'ɫł',
  m: 'ṁṃᴍɱḿ',
  n: 'ńṅṇṉñņǹňꞑ',
  o: 'ȯọỏơóöᴏ',
  p: 'ƿƥṕṗ',
  q: 'ʠ',
  r: 'ʀɼɽŕŗřɍɾȓȑṙṛṟ',
  s: 'ʂśṣṡșŝšꜱ',
  t: 'ţŧṫṭțƫ',
  u: 'ᴜǔŭüʉùúûũūųưůűȕȗụ',
  v: 'ṿⱱᶌṽⱴᴠ',
  w: 'ŵẁẃẅⱳẇẉẘᴡ',
  x: 'ẋẍ',
  y: 'ʏýÿŷƴȳɏỿẏỵ',
  z: 'ʐżźᴢƶẓẕⱬ',
}

/** Latin letters and the Cyrillic ones that cannot be told from them, place by place. */
export const latinWithTwins = 'abcdeghijklmopqstvwxy'
export const cyrillicTwins = 'аьсԁеԍһіјкӏморԛѕтѵԝху'
