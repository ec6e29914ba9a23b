import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asksForBirthday, isDay, isPossibleDay, withFullYear } from './days.ts'

describe('a year of two digits', () => {
  const cases: [day: string, is_birthday: boolean, expected: string][] = [
    ['0026-12-31', false, '2026-12-31'],
    ['0099-01-01', false, '2099-01-01'],
    ['0000-02-29', false, '2000-02-29'],
    ['0026-12-31', true, '2026-12-31'],
    ['0027-01-01', true, '1927-01-01'],
    ['0084-05-03', true, '1984-05-03'],
    ['2026-12-31', true, '2026-12-31'],
    ['0202-12-31', false, '0202-12-31'],
    ['', false, ''],
  ]
  for (const [day, is_birthday, expected] of cases)
    test(`${day || 'a blank reply'}${is_birthday ? ' as a birthday' : ''} is read in 2026 as ${expected || 'blank'}`, () => {
      const full = withFullYear(day, { is_birthday, this_year: 2026 })
      assert.equal(full, expected)
      assert.ok(day === '' || isDay(full))
    })
})

test('only the words of a birthday ask for one', () => {
  for (const text of ['Votre date de naissance', 'Quand êtes-vous né(e) ?', 'Née le', 'NÉ EN'])
    assert.equal(asksForBirthday(text), true, text)
  for (const text of ['Quel jour est nécessaire ?', 'Fin du bail négocié', 'Cette année', 'Jour ?'])
    assert.equal(asksForBirthday(text), false, text)
})

test('years before 1800 and after 2199 are impossible', () => {
  for (const day of ['1800-01-01', '1984-05-03', '2199-12-31', '0026-12-31'])
    assert.equal(isPossibleDay(day), true)
  for (const day of ['0202-12-31', '1799-12-31', '2200-01-01', '9999-12-31'])
    assert.equal(isPossibleDay(day), false)
})
