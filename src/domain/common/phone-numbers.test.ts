import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { PhoneCountry } from './phone-countries.ts'
import { MAX_PHONE_LENGTH, readPhone } from './phone-numbers.ts'

type Readings = Readonly<Record<string, string | null>>

const read = (typed: string, country: PhoneCountry = 'FR') =>
  readPhone(typed, country, parsePhoneNumberFromString)

const RULES: Readonly<Record<string, Readings>> = {
  'digits of any script are read, and spaces of any kind and number are left out': {
    '０６１２３４５６７８': '+33 6 12 34 56 78',
    '٠٦١٢٣٤٥٦٧٨': '+33 6 12 34 56 78',
    '۰۶۱۲۳۴۵۶۷۸': '+33 6 12 34 56 78',
    '＋33 6 12 34 56 78': '+33 6 12 34 56 78',
    '06\u00a012\u202f34 56 78': '+33 6 12 34 56 78',
    [`${' '.repeat(100)}06${' '.repeat(100)}12 34 56 78 `]: '+33 6 12 34 56 78',
  },
  'a number of the departments overseas gets its own country code, also after +33': {
    '0692 12 34 56': '+262 692 12 34 56',
    '+33 692 12 34 56': '+262 692 12 34 56',
    '+33 (0)690 12 34 56': '+590 690 12 34 56',
    '+262 (0)692 12 34 56': '+262 692 12 34 56',
    '0692 12 34': null,
  },
  'a number with another country keeps it': {
    '+32 470 12 34 56': '+32 470 12 34 56',
    '0032470123456': '+32 470 12 34 56',
    '+44 (0)7771 234567': '+44 7771 234567',
    '+39 06 1234 5678': '+39 06 1234 5678',
    '+44 12': null,
    // As long as a British number.
    '+44 1000 000000': null,
    '+999 12 34 56 78': null,
  },
  'an extension is left out if the library knows its sign': {
    '06 12 34 56 78 ext. 12': '+33 6 12 34 56 78',
    '06 12 34 56 78 #12': '+33 6 12 34 56 78',
    '06 12 34 56 78 poste 12': null,
  },
  'a text without exactly one number has no reading': {
    '': null,
    '+': null,
    '06 12 34 56': null,
    '06 12 34 56 78 ou 07 12 34 56 78': null,
    '06 12 34 56 78 / 07 12 34 56 78': null,
    '06 12 34 56 78 +33 6 12 34 56 79': null,
    '=SOMME(A1;A2)': null,
  },
}
for (const [title, numbers] of Object.entries(RULES))
  test(title, () => {
    const seen = Object.keys(numbers).map((typed) => [typed, read(typed)?.readable ?? null])
    assert.deepEqual(Object.fromEntries(seen), numbers)
  })

test('a text that is too long to be stored as a phone number has no reading', () => {
  const typed = 'Tél. : 06 12 34 56 78'.padEnd(MAX_PHONE_LENGTH, '!')
  assert.equal(read(typed)?.number, '+33612345678')
  assert.equal(read(`${typed}!`), null)
})

test('a number without a country code is one of the country', () => {
  // A French number is none of Belgium, so that no number of a stranger is sent.
  assert.equal(read('06 12 34 56 78', 'BE'), null)
  // Basel has the code 061, so that only the visitor can see that the number is French.
  assert.equal(read('06 12 34 56 78', 'CH')?.readable, '+41 61 234 56 78')
  assert.equal(read('0470 12 34 56', 'FR')?.readable, '+33 4 70 12 34 56')
  assert.equal(read('011 33 6 12 34 56 78', 'CA')?.readable, '+33 6 12 34 56 78')
  // A number of before 2021.
  assert.equal(read('07 12 34 56', 'CI'), null)
})
