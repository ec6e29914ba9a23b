import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { comparisonOf, daysOf, periodsOf } from './periods.ts'

const TODAY = '2026-03-10'

test('days that are over are compared with the same days of the previous period', () => {
  const cases: [{ from?: string; to?: string }, ReturnType<typeof periodsOf>][] = [
    [{}, undefined],
    [{ to: '2026-03-01' }, undefined],
    [
      { from: '2026-03-04' },
      {
        period: { from: '2026-03-04', to: TODAY },
        period_compared: { from: '2026-03-04', to: '2026-03-09' },
        period_before: { from: '2026-02-25', to: '2026-03-02' },
      },
    ],
    [
      { from: '2026-03-04', to: '2026-03-09' },
      {
        period: { from: '2026-03-04', to: '2026-03-09' },
        period_compared: { from: '2026-03-04', to: '2026-03-09' },
        period_before: { from: '2026-02-26', to: '2026-03-03' },
      },
    ],
    [
      { from: TODAY, to: TODAY },
      {
        period: { from: TODAY, to: TODAY },
        period_compared: null,
        period_before: null,
      },
    ],
    [
      // Without an end, the period would end before its beginning.
      { from: '2027-01-01' },
      {
        period: { from: '2027-01-01', to: '2027-01-01' },
        period_compared: null,
        period_before: null,
      },
    ],
    [
      { from: '2000-01-01', to: '2999-12-31' },
      {
        period: { from: '2000-01-01', to: '2999-12-31' },
        period_compared: { from: '2000-01-01', to: '2026-03-09' },
        period_before: { from: '0999-12-31', to: '1026-03-09' },
      },
    ],
  ]
  for (const [asked, expected] of cases) assert.deepEqual(periodsOf(asked, TODAY), expected)
})

test('compared days are completed, and the earlier days are equally many and one period before', () => {
  const day = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  const daysBetween = (first: string, last: string) =>
    (Date.parse(last) - Date.parse(first)) / 86_400_000
  fc.assert(
    fc.property(day, day, (date, other) => {
      const [from = '', to = ''] = [date, other].sort()
      const periods = periodsOf({ from, to }, TODAY)
      const { period_compared: compared, period_before: before } = periods ?? {}
      assert.equal(!compared, from >= TODAY)
      if (!periods || !compared || !before) return
      assert.equal(compared.from, from)
      assert.equal(compared.to, to < TODAY ? to : '2026-03-09')
      const days_earlier = daysBetween(from, to) + 1
      assert.equal(daysBetween(before.from, compared.from), days_earlier)
      assert.equal(daysBetween(before.to, compared.to), days_earlier)
      assert.deepEqual(comparisonOf(periods), { days_earlier, is_without_today: to >= TODAY })
    }),
  )
})

test('no figures are compared without a period, or before a day of the period is over', () => {
  const none = { period: null, period_compared: null, period_before: null }
  assert.equal(comparisonOf(none), null)
  assert.equal(comparisonOf(periodsOf({ from: TODAY }, TODAY) ?? none), null)
})

test('days without participants have a zero, and beyond ten years only days with participants are listed', () => {
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
