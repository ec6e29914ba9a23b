import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromParisTime, parisTime } from './paris-time.ts'

test('the clock goes forward and back with Paris', () => {
  assert.equal(parisTime('2026-03-29T00:59:59.999Z'), '2026-03-29 01:59:59')
  assert.equal(parisTime('2026-03-29T01:00:00.000Z'), '2026-03-29 03:00:00')
  assert.equal(parisTime('2026-10-25T00:59:59.000Z'), '2026-10-25 02:59:59')
  assert.equal(parisTime('2026-10-25T01:00:00.000Z'), '2026-10-25 02:00:00')
})

test('it is the one of the calendar at any moment', () => {
  const calendar = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Paris',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('2000-01-01'),
        max: new Date('2100-01-01'),
        noInvalidDate: true,
      }),
      (date) => assert.equal(parisTime(date.toISOString()), calendar.format(date)),
    ),
  )
})

test('what a clock in Paris says is a moment, also on the days that it changes', () => {
  const cases: [said: string, moment: string][] = [
    ['2026-03-09T13:05', '2026-03-09T12:05:00.000Z'],
    ['2026-07-14T00:00', '2026-07-13T22:00:00.000Z'],
    ['2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25T01:59', '2026-10-24T23:59:00.000Z'],
    ['2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
  ]
  for (const [said, moment] of cases) assert.equal(fromParisTime(said), moment, said)
})
