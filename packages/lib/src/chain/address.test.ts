import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAddress, checksumAddress, readAddress } from './address.ts'

/** EIP-55, §"Test Cases", and EIP-1191, §"Test Cases". */
const eip55 = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  '0x88021160C5C792225E4E5452585947470010289D',
]
const rootstock = [
  '0x6549F4939460DE12611948B3F82B88C3C8975323',
  '0x27b1FdB04752BBc536007A920D24ACB045561c26',
  '0x3599689E6292B81B2D85451025146515070129Bb',
  '0x52908400098527886E0F7030069857D2E4169ee7',
  '0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD',
  '0x8617E340b3D01Fa5f11f306f4090fd50E238070D',
  '0xD1220A0Cf47c7B9BE7a2e6ba89F429762E7B9adB',
  '0xDBF03B407c01E7CD3cBea99509D93F8Dddc8C6FB',
  '0xDe709F2102306220921060314715629080e2FB77',
  '0xFb6916095cA1Df60bb79ce92cE3EA74c37c5d359',
]
const rootstockTest = [
  '0x42712D45473476B98452F434E72461577D686318',
  '0x27B1FdB04752BbC536007a920D24acB045561C26',
  '0x3599689e6292b81b2D85451025146515070129Bb',
  '0x52908400098527886E0F7030069857D2e4169EE7',
  '0x5aAeb6053F3e94c9b9A09F33669435E7EF1BEaEd',
  '0x66f9664F97F2b50f62d13eA064982F936DE76657',
  '0x8617e340b3D01fa5F11f306F4090Fd50e238070d',
  '0xDE709F2102306220921060314715629080e2Fb77',
  '0xFb6916095CA1dF60bb79CE92ce3Ea74C37c5D359',
  '0xd1220a0CF47c7B9Be7A2E6Ba89f429762E7b9adB',
  '0xdbF03B407C01E7cd3cbEa99509D93f8dDDc8C6fB',
]

for (const [name, chain, addresses] of [
  ['EIP-55: every test case', 0, eip55],
  ['EIP-1191: mainnet keeps the checksum of EIP-55', 1, eip55],
  ['EIP-1191: every test case of Rootstock mainnet, chain 30', 30, rootstock],
  ['EIP-1191: every test case of Rootstock testnet, chain 31', 31, rootstockTest],
] as const) {
  test(name, () => {
    for (const address of addresses) {
      assert.equal(checksumAddress(readAddress(address.toLowerCase()), chain), address)
      const { verdict, wrong } = checkAddress(address, chain)
      assert.deepEqual([verdict, wrong], ['correct', []])
    }
  })
}

test('all capitals and all small letters are right where the checksum has them so, else they say nothing', () => {
  assert.equal(checkAddress('0x52908400098527886E0F7030069857D2E4169EE7').verdict, 'correct')
  assert.equal(checkAddress('0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED').verdict, 'none')
  assert.equal(checkAddress('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed').verdict, 'none')
  assert.equal(checkAddress('0'.repeat(40)).verdict, 'correct', 'no letter can be wrong')
})

test('each letter turned round is told with its place', () => {
  for (const right of eip55) {
    for (let i = 2; i < right.length; i++) {
      const letter = right.charAt(i)
      const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()
      if (other === letter) continue
      const { verdict, wrong, address } = checkAddress(right.slice(0, i) + other + right.slice(i + 1))
      assert.equal(address, right)
      if (verdict === 'none') continue
      assert.deepEqual(wrong, [{ position: i - 1, typed: other, expected: letter }])
    }
  }
})

test('what is no address is refused', () => {
  for (const text of [
    '',
    '0x',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe',
    `0x${'g'.repeat(40)}`,
    '00'.repeat(21),
    'é',
  ]) {
    assert.throws(() => readAddress(text), { name: 'RangeError', message: /40 hexadecimal digits/ })
  }
})
