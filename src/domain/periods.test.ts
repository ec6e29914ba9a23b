import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { daysOf, periodsOf } from './periods.ts'

const TODAY = '2026-03-10'

test('the period before has as many days, just before it', () => {
  const cases: [{ from?: string; to?: string }, ReturnType<typeof periodsOf>][] = [
    [{}, undefined],
    [{ to: '2026-03-01' }, undefined],
    [
      { from: '2026-03-04' },
      {
        period: { from: '2026-03-04', to: TODAY },
        period_before: { from: '2026-02-25', to: '2026-03-03' },
      },
    ],
    [
      { from: TODAY, to: TODAY },
      {
        period: { from: TODAY, to: TODAY },
        period_before: { from: '2026-03-09', to: '2026-03-09' },
      },
    ],
    [
      // Without an end it would be before its beginning.
      { from: '2027-01-01' },
      {
        period: { from: '2027-01-01', to: '2027-01-01' },
        period_before: { from: '2026-12-31', to: '2026-12-31' },
      },
    ],
    [
      { from: '2000-01-01', to: '2999-12-31' },
      {
        period: { from: '2000-01-01', to: '2999-12-31' },
        period_before: { from: '0999-12-31', to: '1999-12-31' },
      },
    ],
  ]
  for (const [asked, expected] of cases) assert.deepEqual(periodsOf(asked, TODAY), expected)
})

test('whatever the days, both periods meet and are as long', () => {
  const day = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  fc.assert(
    fc.property(day, day, (one, other) => {
      const [from = '', to = ''] = [one, other].sort()
      const both = periodsOf({ from, to }, TODAY)
      assert.ok(both)
      const [now, before] = [both.period, both.period_before].map(
        (period) => (Date.parse(period.to) - Date.parse(period.from)) / 86_400_000,
      )
      assert.equal(now, before)
      assert.equal(Date.parse(from) - Date.parse(both.period_before.to), 86_400_000)
    }),
  )
})

test('days without participants are zero; of more than ten years those with some are told', () => {
  const counts = [
    { day: '2026-03-02', count: 2 },
    { day: '2026-02-27', count: 1 },
    { day: '2026-03-05', count: 9 },
  ]
  assert.deepEqual(daysOf({ from: '2026-02-28', to: '2026-03-02' }, counts), [
    { day: '2026-02-28', count: 0 },
    { day: '2026-03-01', count: 0 },
    { day: '2026-03-02', count: 2 },
  ])
  assert.equal(daysOf({ from: '2016-03-11', to: '2026-03-10' }, counts).length, 3_652)
  assert.deepEqual(daysOf({ from: '2000-01-01', to: '2026-03-03' }, counts), [
    { day: '2026-02-27', count: 1 },
    { day: '2026-03-02', count: 2 },
  ])
})
