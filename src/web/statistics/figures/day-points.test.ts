import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupDays } from './day-points.ts'

const daysFrom = (first: string, length: number) =>
  Array.from({ length }, (_, index) => ({
    day: new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
    count: 1,
  }))
const sumOf = (points: readonly { count: number }[]) =>
  points.reduce((sum, { count }) => sum + count, 0)

test('three months are grouped by day, a year by week from Monday, a longer time by month, and no participant is lost', () => {
  const days = groupDays(daysFrom('2026-03-09', 90))
  assert.deepEqual([days.unit, days.points.length], ['jour', 90])
  assert.deepEqual(days.points[0], { label: '09/03/2026', tick: '9 mars', count: 1 })
  const weeks = groupDays(daysFrom('2026-03-11', 365))
  assert.deepEqual(
    [weeks.unit, weeks.points[0]],
    ['semaine', { label: 'semaine du 09/03/2026', tick: '9 mars', count: 5 }],
  )
  const months = groupDays(daysFrom('2024-01-31', 1_000))
  assert.deepEqual(
    [months.unit, months.points[0]],
    ['mois', { label: 'janvier 2024', tick: 'janv. 24', count: 1 }],
  )
  for (const { points } of [weeks, months]) assert.ok(points.length <= 100)
  assert.equal(sumOf(months.points), 1_000)
  assert.deepEqual(groupDays([]).points, [])
})

test('the days of the earlier period are grouped like the days of the period', () => {
  const now = daysFrom('2026-03-11', 30)
  const before = daysFrom('2026-02-09', 30).map(({ day }, index) => ({ day, count: index }))
  assert.deepEqual(
    groupDays(now, before).before,
    before.map(({ count }) => count),
  )
  // The last day is not over, so its day or week has no earlier value.
  assert.deepEqual(groupDays(now, before.slice(0, -1)).before.length, 29)
  const weeks = [daysFrom('2026-03-11', 365), daysFrom('2025-03-11', 364)] as const
  const { points, before: counts } = groupDays(...weeks)
  assert.deepEqual([points.length, counts.length], [53, 52])
  // A week from Wednesday has five days, the next one seven.
  const year = groupDays(
    daysFrom('2026-03-11', 365),
    daysFrom('2025-03-11', 365).map(({ day }) => ({ day, count: 2 })),
  )
  assert.deepEqual(year.before.slice(0, 2), [10, 14])
})
