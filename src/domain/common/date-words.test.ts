import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dayInWords, momentInWords, withOrdinalDay } from './date-words.ts'

describe('dates in words', () => {
  for (const [day, words] of [
    ['2026-12-01', '1er décembre 2026'],
    ['2026-12-11', '11 décembre 2026'],
    ['2026-08-21', '21 août 2026'],
    ['2027-08-01', '1er août 2027'],
  ] as const)
    test(`the day ${day} is « ${words} »`, () => assert.equal(dayInWords(day), words))

  test('a moment has the day of its time zone', () => {
    assert.equal(momentInWords('2026-11-30T23:30:00Z'), '1er décembre 2026 à 00:30')
    assert.equal(momentInWords('2026-11-30T23:30:00Z', 'Europe/London'), '30 novembre 2026 à 23:30')
  })

  test('a date in figures stays as it is', () => {
    assert.equal(withOrdinalDay('01/12/2026 14:05'), '01/12/2026 14:05')
  })
})
