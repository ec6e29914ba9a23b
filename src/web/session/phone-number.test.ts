import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberError, readNumber, showNumber } from './phone-number.ts'

test('a number is read in every notation, and a French number needs no country code', () => {
  for (const text of ['06 12 34 56 78', '06.12.34.56.78', '+33612345678', '0033 6 12 34 56 78'])
    assert.equal(readNumber(text), '+33612345678', text)
  assert.equal(readNumber('+32 470 12 34 56'), '+32470123456')
  for (const text of ['', 'abc', '06 12', '+0612345678', '6 12 34 56 78', '+3361234567890123'])
    assert.equal(readNumber(text), undefined, text)
})

test('an invalid number and a missing number have different errors', () => {
  assert.equal(numberError('  '), 'Le numéro est obligatoire')
  assert.match(numberError('12') ?? '', /^Numéro attendu/)
  assert.equal(numberError('0612345678'), undefined)
})

test('a number is displayed in spoken groups', () => {
  assert.equal(showNumber('33612345678'), '+33 6 12 34 56 78')
  assert.equal(showNumber('32470123456'), '+324 701 234 56')
})
