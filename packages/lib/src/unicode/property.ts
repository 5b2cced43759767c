/**
 * General category and script of a character, told by the platform: Unicode Standard §4.5 and Standard Annex 24. A
 * script that the platform does not know yet is passed over.
 */
const categoryNames: Readonly<Record<string, string>> = {
  Lu: 'uppercase letter',
  Ll: 'lowercase letter',
  Lt: 'titlecase letter',
  Lm: 'modifier letter',
  Lo: 'other letter',
  Mn: 'nonspacing mark',
  Mc: 'spacing mark',
  Me: 'enclosing mark',
  Nd: 'decimal number',
  Nl: 'letter number',
  No: 'other number',
  Pc: 'connector punctuation',
  Pd: 'dash punctuation',
  Ps: 'open punctuation',
  Pe: 'close punctuation',
  Pi: 'initial quote',
  Pf: 'final quote',
  Po: 'other punctuation',
  Sm: 'math symbol',
  Sc: 'currency symbol',
  Sk: 'modifier symbol',
  So: 'other symbol',
  Zs: 'space separator',
  Zl: 'line separator',
  Zp: 'paragraph separator',
  Cc: 'control',
  Cf: 'format',
  Cs: 'surrogate',
  Co: 'private use',
  Cn: 'unassigned',
}
const categories = Object.entries(categoryNames).map(
  ([short, name]) => [new RegExp(`^\\p{${short}}$`, 'u'), short, name] as const,
)

/** Such as Lu and "uppercase letter". */
export function categoryOf(character: string): { category: string; meaning: string } {
  const [, category, meaning] = categories.find(([pattern]) => pattern.test(character)) ?? [
    undefined,
    'Cn',
    'unassigned',
  ]
  return { category, meaning }
}

/** The scripts of Unicode 17.0, from Scripts.txt of the Unicode Character Database (Unicode License v3). */
const scriptNames = `
Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Beria_Erfe
Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham
Cherokee Chorasmian Common Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra
Duployan Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Garay Georgian Glagolitic Gothic Grantha Greek Gujarati
Gunjala_Gondi Gurmukhi Gurung_Khema Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic
Inherited Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li
Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi Kirat_Rai Lao Latin Lepcha Limbu Linear_A Linear_B Lisu
Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek
Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean
Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Ol_Onal Old_Hungarian
Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya
Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan
Saurashtra Sharada Shavian Siddham Sidetic SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar
Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Tai_Yo Takri Tamil Tangsa Tangut Telugu Thaana
Thai Tibetan Tifinagh Tirhuta Todhri Tolong_Siki Toto Tulu_Tigalari Ugaritic Vai Vithkuqi Wancho Warang_Citi
Yezidi Yi Zanabazar_Square
`

const scripts = scriptNames
  .trim()
  .split(/\s+/)
  .flatMap(name => {
    try {
      return [[new RegExp(`^\\p{Script=${name}}$`, 'u'), name.replaceAll('_', ' ')] as const]
    } catch {
      return []
    }
  })

/** Such as Latin or Cyrillic; Common for what all scripts share, undefined for what is not assigned. */
export const scriptOf = (character: string): string | undefined =>
  scripts.find(([pattern]) => pattern.test(character))?.[1]

const extensions = new Map<string, readonly string[]>()

/** Every script that a character is used in (Script_Extensions); empty for what all scripts share. */
export function scriptsOf(character: string): readonly string[] {
  const known = extensions.get(character)
  if (known) return known
  const found = /[\p{scx=Zyyy}\p{scx=Zinh}]/u.test(character)
    ? []
    : scripts.filter(([, name]) => extensionPattern(name).test(character)).map(([, name]) => name)
  extensions.set(character, found)
  return found
}

const extensionPatterns = new Map<string, RegExp>()
function extensionPattern(name: string): RegExp {
  const pattern =
    extensionPatterns.get(name) ?? new RegExp(`^\\p{Script_Extensions=${name.replaceAll(' ', '_')}}$`, 'u')
  extensionPatterns.set(name, pattern)
  return pattern
}
