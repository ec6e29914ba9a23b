import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPhoneNumber, phoneNumberError, readPhoneNumber } from './phone-number.ts'

test('a phone number is read in every notation, and a French number needs no country code', () => {
  for (const text of ['06 12 34 56 78', '06.12.34.56.78', '+33612345678', '0033 6 12 34 56 78'])
    assert.equal(readPhoneNumber(text), '+33612345678', text)
  assert.equal(readPhoneNumber('+32 470 12 34 56'), '+32470123456')
  for (const text of ['', 'abc', '06 12', '+0612345678', '6 12 34 56 78', '+3361234567890123'])
    assert.equal(readPhoneNumber(text), undefined, text)
})

test('an invalid phone number and a missing phone number have different errors', () => {
  assert.equal(phoneNumberError('  '), 'Le numéro est obligatoire')
  assert.match(phoneNumberError('12') ?? '', /^Numéro attendu/)
  assert.equal(phoneNumberError('0612345678'), undefined)
})

test('a phone number is displayed in groups as French speakers say them', () => {
  assert.equal(formatPhoneNumber('33612345678'), '+33 6 12 34 56 78')
  assert.equal(formatPhoneNumber('32470123456'), '+324 701 234 56')
})
