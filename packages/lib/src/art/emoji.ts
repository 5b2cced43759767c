/** A hash as emoji, six bits each, by a table of our own: things that are told apart at a glance and have one name. */
const TABLE =
  '🐶dog 🐱cat 🦁lion 🐴horse 🐷pig 🐘elephant 🐰rabbit 🐼panda 🐔chicken 🐧penguin 🐢turtle 🐟fish 🐙octopus 🦋butterfly ' +
  '🐝bee 🐌snail 🌷tulip 🌳tree 🌵cactus 🍄mushroom 🌙moon 🌈rainbow 🔥fire 🌊wave 🍌banana 🍎apple 🍓strawberry 🌽corn ' +
  '🍕pizza 🎂cake 🍺beer 🧀cheese 🎩hat 👓glasses 👑crown 🔧wrench 🔨hammer 🔑key 🔒lock 🔔bell 💡lamp 📖book ' +
  '🎈balloon 🎁gift ⚽ball 🏆trophy 🎸guitar 🎺trumpet 🥁drum 🎲dice 🚀rocket 🚲bicycle 🚂train 🚗car ⛵boat 🚁helicopter ' +
  '⏰clock 📷camera 📞telephone 🪑chair 🏠house ☔umbrella ⚓anchor 💎diamond'

export interface Emoji {
  symbol: string
  name: string
}

export const emojiTable: readonly Emoji[] = TABLE.split(' ').map(entry => {
  const [, symbol = '', name = ''] = /^(\P{ASCII}+)([a-z]+)$/u.exec(entry) ?? []
  return { symbol, name }
})

/** The first six bits choose the first emoji and so on; the last group is filled with zeros. */
export function writeEmoji(bytes: Uint8Array): Emoji[] {
  const bits = Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('')
  return Array.from({ length: Math.ceil(bits.length / 6) }, (_, i) => {
    const index = Number.parseInt(bits.slice(6 * i, 6 * i + 6).padEnd(6, '0'), 2)
    return emojiTable[index] ?? { symbol: '', name: '' }
  })
}
