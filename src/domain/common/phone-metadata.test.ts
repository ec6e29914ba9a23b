import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CountryCode,
  getCountryCallingCode,
  getExampleNumber,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core'
import full from 'libphonenumber-js/min/metadata'
import examples from 'libphonenumber-js/mobile/examples'
import { CALLING_CODES, PHONE_COUNTRIES, type PhoneCountry } from './phone-countries.ts'
import { reduceMetadata } from './phone-metadata.ts'
import { type PhoneReading, readPhone } from './phone-numbers.ts'

const reduced = reduceMetadata(full)
const COUNTRIES = Object.keys(PHONE_COUNTRIES) as PhoneCountry[]

const readWith = (metadata: typeof full, typed: string, country: PhoneCountry) =>
  readPhone(typed, country, (text, of) => parsePhoneNumberFromString(text, of, metadata))

/** Numbers of each country as people write them, by the number of the digits that are read. */
const NUMBERS: Readonly<Record<PhoneCountry, readonly string[]>> = {
  FR: ['06 12 34 56 78', '07.56.78.90.12', '01 42 68 53 00', '0800 12 34 56', '0692 12 34 56'],
  BE: ['0470 12 34 56', '0470/12.34.56', '02 555 12 12', '081 22 33 44', '0800 12 345'],
  CH: ['079 123 45 67', '044 668 18 00', '061 234 56 78', '0800 123 456'],
  LU: ['621 123 456', '27 12 34 56', '45 12 34', '800 12345'],
  MC: ['06 12 34 56 78', '93 15 28 00', '+377 6 12 34 56 78', '99 99 12 34'],
  CA: ['(514) 555-0123', '1 418 555 0123', '418.555.0123', '+1 (604) 555-0123', '+1 242 365 1234'],
  NC: ['75 12 34', '28 12 34', '+687 75.12.34'],
  PF: ['87 12 34 56', '40 41 23 45', '89 12 34 56'],
  WF: ['72 25 25', '82 12 34', '+681 72 25 25'],
  PM: ['41 12 34', '55 12 34', '+508 41 12 34'],
  DZ: ['0551 23 45 67', '0661 23 45 67', '021 23 45 67', '0771234567'],
  BJ: ['01 90 01 12 34', '01 20 21 12 34', '+229 01 97 12 34 56'],
  BF: ['70 12 34 56', '25 49 12 34', '+226 70 12 34 56'],
  CM: ['6 71 23 45 67', '2 22 12 34 56', '671234567'],
  CG: ['06 123 45 67', '05 123 45 67', '22 212 34 56'],
  CD: ['0812 345 678', '0991 234 567', '+243 991 234 567'],
  CI: ['07 07 12 34 56', '27 20 12 34 56', '+225 07 07 12 34 56', '01 23 45 67 89'],
  GA: ['066 12 34 56', '077 12 34 56', '011 44 12 34'],
  GN: ['601 12 34 56', '622 12 34 56', '30 24 12 34'],
  HT: ['34 10 1234', '22 45 3300', '+509 3410 1234'],
  MG: ['032 12 345 67', '034 12 345 67', '020 22 123 45'],
  ML: ['65 01 23 45', '76 12 34 56', '20 21 23 45'],
  MA: ['06 61 23 45 67', '0661-234567', '05 22 12 34 56', '+212 (0)6 61 23 45 67'],
  MU: ['5251 2345', '5 251 2345', '212 3456', '5475 1234'],
  NE: ['93 12 34 56', '20 20 12 34', '96 12 34 56'],
  SN: ['77 123 45 67', '33 821 23 45', '221771234567', '70 123 45 67'],
  TG: ['90 11 23 45', '22 21 23 45', '70 12 34 56'],
  TN: ['20 123 456', '98 123 456', '71 123 456', '+216 20.123.456'],
}

test('the reduced metadata reads the numbers of every country as all metadata do', () => {
  const readings: (PhoneReading | null)[] = []
  for (const country of COUNTRIES)
    for (const typed of NUMBERS[country]) {
      const reading = readWith(full, typed, country)
      assert.deepEqual(readWith(reduced, typed, country), reading, `${country} ${typed}`)
      assert.ok(reading, `${country} ${typed}`)
      readings.push(reading)
    }
  assert.ok(readings.length > COUNTRIES.length * 3)
})

test('both read each number in every other country too, also a shortened or lengthened one', () => {
  const all = Object.values(NUMBERS).flat()
  const altered = [
    ...all,
    ...all.map((typed) => typed.slice(0, -1)),
    ...all.map((number) => `${number}0`),
  ]
  for (const country of COUNTRIES)
    for (const typed of altered)
      assert.deepEqual(
        readWith(reduced, typed, country),
        readWith(full, typed, country),
        `${country} ${typed}`,
      )
})

test('a number of another country has a reading with all metadata alone', () => {
  let nb_others = 0
  for (const name of Object.keys(full.countries) as CountryCode[]) {
    const example = getExampleNumber(name, examples, full)
    if (!example?.isValid()) continue
    const reading = readWith(full, example.number, 'FR')
    const isRead = isSupportedCountry(name, reduced)
    assert.equal(reading?.number, example.number)
    assert.deepEqual(readWith(reduced, example.number, 'FR'), isRead ? reading : null, name)
    if (!isRead) nb_others++
  }
  assert.ok(nb_others > 100)
})

test('every country that shares a country code is read', () => {
  for (const [code, names] of Object.entries(reduced.country_calling_codes)) {
    assert.deepEqual(names, full.country_calling_codes[code])
    for (const name of names) assert.ok(isSupportedCountry(name, reduced), name)
  }
})

test('the country codes are those of the library', () => {
  for (const country of COUNTRIES)
    assert.equal(getCountryCallingCode(country, full), CALLING_CODES[country], country)
})
