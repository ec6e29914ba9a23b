import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupDays } from './day-groups.ts'

const daysFrom = (first: string, length: number) =>
  Array.from({ length }, (_, index) => ({
    day: new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
    count: 1,
  }))
const sumOf = (columns: readonly { count: number }[]) =>
  columns.reduce((sum, { count }) => sum + count, 0)

test('two months are days, a year is weeks from Monday, longer is months; no participant is lost', () => {
  const days = groupDays(daysFrom('2026-03-09', 62))
  assert.deepEqual(
    [days.unit, days.columns.length, days.columns[0]?.label],
    ['jour', 62, '09/03/2026'],
  )
  const weeks = groupDays(daysFrom('2026-03-11', 365))
  assert.deepEqual(
    [weeks.unit, weeks.columns[0]],
    ['semaine', { label: 'semaine du 09/03/2026', count: 5 }],
  )
  const months = groupDays(daysFrom('2024-01-31', 1_000))
  assert.deepEqual([months.unit, months.columns[0]], ['mois', { label: 'janvier 2024', count: 1 }])
  for (const { columns } of [weeks, months]) assert.ok(columns.length <= 62)
  assert.equal(sumOf(months.columns), 1_000)
  assert.deepEqual(groupDays([]).columns, [])
})
