import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSupportedCountry } from 'libphonenumber-js/min'
import { PHONE_COUNTRIES, type PhoneCountry } from '#domain/common/phone-countries.ts'
import { internationalPhone, readablePhone } from './phone-numbers.ts'

const NUMBERS: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  'a French number, in any spelling, gets +33': {
    '06 12 34 56 78': '+33612345678',
    '06.12.34.56.78': '+33612345678',
    '06-12-34-56-78': '+33612345678',
    '0612345678': '+33612345678',
    '612345678': '+33612345678',
    '(0)6 12 34 56 78': '+33612345678',
    '01 42 68 53 00': '+33142685300',
    '07 56 78 90 12': '+33756789012',
    '+33 6 12 34 56 78': '+33612345678',
    '+33 (0)6 12 34 56 78': '+33612345678',
    '0033 6 12 34 56 78': '+33612345678',
    '33612345678': '+33612345678',
    '06\u00a012\u202f34 56 78': '+33612345678',
    '０６１２３４５６７８': '+33612345678',
    'Tél. : 06 12 34 56 78': '+33612345678',
  },
  'a number of the departments overseas gets its own country code': {
    '0262 12 34 56': '+262262123456',
    '0692 12 34 56': '+262692123456',
    '0693 12 34 56': '+262693123456',
    '0269 61 23 45': '+262269612345',
    '0639 12 34 56': '+262639123456',
    '0590 20 12 34': '+590590201234',
    '0690 12 34 56': '+590690123456',
    '0691 12 34 56': '+590691123456',
    '0596 30 12 34': '+596596301234',
    '0696 12 34 56': '+596696123456',
    '0697 12 34 56': '+596697123456',
    '0594 10 12 34': '+594594101234',
    '0694 12 34 56': '+594694123456',
    '692123456': '+262692123456',
  },
  'a number overseas that was typed with +33 is corrected': {
    '+33 692 12 34 56': '+262692123456',
    '+33 (0)690 12 34 56': '+590690123456',
  },
  'a number of Nouvelle-Calédonie needs +687': {
    '+687 75 12 34': '+687751234',
    '00687 75 12 34': '+687751234',
    '75 12 34': null,
  },
  'a number with another country keeps it': {
    '+32 470 12 34 56': '+32470123456',
    '0032 470 12 34 56': '+32470123456',
    '+41 79 123 45 67': '+41791234567',
    '+1 514 555 0123': '+15145550123',
    '+262 692 12 34 56': '+262692123456',
    '+590 690 12 34 56': '+590690123456',
    '+44 (0)7771 234567': '+447771234567',
  },
  'a text that is no phone number has no international form': {
    '': null,
    '-': null,
    '12': null,
    '112': null,
    non: null,
    'lea@exemple.test': null,
    '00 00 00 00 00': null,
    '06 12 34 56': null,
    '06 12 34 56 78 90 12 34': null,
    '+33 6 12': null,
    '+999 12 34 56 78': null,
    '0692 12 34': null,
    '📞📞📞': null,
    '=SOMME(A1;A2)': null,
  },
}

for (const [title, numbers] of Object.entries(NUMBERS))
  test(title, () => {
    const seen = Object.keys(numbers).map((typed) => [typed, internationalPhone(typed, 'FR')])
    assert.deepEqual(Object.fromEntries(seen), numbers)
  })

test('the readable form of a number has its country and groups of digits', () => {
  assert.equal(readablePhone('0612345678', 'FR'), '+33 6 12 34 56 78')
  assert.equal(readablePhone('sans numéro', 'FR'), null)
})

/** Numbers as people of each country write them. */
const ELSEWHERE: Readonly<Partial<Record<PhoneCountry, Readonly<Record<string, string | null>>>>> =
  {
    BE: {
      '0470 12 34 56': '+32470123456',
      '0470/12.34.56': '+32470123456',
      '02 555 12 12': '+3225551212',
      '+33 6 12 34 56 78': '+33612345678',
      // A French number is none of Belgium, so that no number of a stranger is sent.
      '06 12 34 56 78': null,
    },
    CH: { '079 123 45 67': '+41791234567', '044 668 18 00': '+41446681800' },
    LU: { '621 123 456': '+352621123456', '00352 621 123 456': '+352621123456' },
    CI: { '07 07 12 34 56': '+2250707123456', '+225 07 07 12 34 56': '+2250707123456' },
    SN: { '77 123 45 67': '+221771234567' },
    CA: { '(514) 555-0123': '+15145550123', '1 418 555 0123': '+14185550123' },
    NC: { '75 12 34': '+687751234' },
    FR: { '0470 12 34 56': '+33470123456' },
  }
for (const country of Object.keys(PHONE_COUNTRIES) as PhoneCountry[]) {
  const numbers = ELSEWHERE[country]
  if (numbers)
    test(`a number without a country code is one of the country of the account: ${country}`, () => {
      const seen = Object.keys(numbers).map((typed) => [typed, internationalPhone(typed, country)])
      assert.deepEqual(Object.fromEntries(seen), numbers)
    })
  test(`the library knows the numbers of ${country}`, () => {
    assert.ok(isSupportedCountry(country))
  })
}
