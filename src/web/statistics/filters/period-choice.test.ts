import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PeriodChoice, periodOf, withPeriod } from './period-choice.ts'

const TODAY = '2026-03-09'

test('a period of the last days is counted back from today, today included', () => {
  const kept = { email: 'ada', from: '2020-01-01', to: '2020-02-01' }
  const table: [choice: PeriodChoice, from: string | undefined][] = [
    ['7', '2026-03-03'],
    ['30', '2026-02-08'],
    ['90', '2025-12-10'],
    ['all', undefined],
  ]
  for (const [choice, from] of table) {
    const filters = withPeriod(kept, choice, TODAY)
    assert.deepEqual(filters, from ? { email: 'ada', from } : { email: 'ada' })
    assert.equal(periodOf(filters, TODAY), choice)
  }
  assert.deepEqual(withPeriod(kept, 'dates', TODAY), kept)
})

test('any other period has custom dates, including the last days up to yesterday', () => {
  assert.equal(periodOf({ from: '2026-03-03', to: TODAY }, TODAY), '7')
  assert.equal(periodOf({ from: '2026-03-03', to: '2026-03-08' }, TODAY), 'dates')
  assert.equal(periodOf({ from: '2026-03-03' }, '2026-03-10'), 'dates')
  assert.equal(periodOf({ to: TODAY }, TODAY), 'dates')
})
