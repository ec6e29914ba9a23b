import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyFigures, type RowCount } from './key-figures.ts'

const PERIODS = {
  period: { from: '2026-03-02', to: '2026-03-03' },
  period_before: { from: '2026-02-28', to: '2026-03-01' },
}
const row = (what: RowCount['what'], count: number, more: Partial<RowCount> = {}): RowCount => ({
  ...{ what, count, is_before: false, seconds: null, day: null },
  ...more,
})
const NOTHING = {
  ...{ nb_opened: null, nb_participants: 0, nb_addresses: 0, nb_delivered: 0 },
  ...{ median_seconds: null, is_more: false },
}

test('of nothing there is nothing to compare with', () => {
  const days = ['2026-03-02', '2026-03-03'].map((day) => ({ day, count: 0 }))
  assert.deepEqual(keyFigures({ totals: undefined, rows: [], periods: PERIODS }), {
    now: { ...NOTHING, days },
    before: null,
  })
  assert.deepEqual(keyFigures({ totals: undefined, rows: [], periods: undefined }), {
    now: { ...NOTHING, days: [] },
    before: null,
  })
})

test('each period has its own, and visits alone are something to compare with', () => {
  const day = (day: string, count: number, is_before: boolean) => ({ day, count, is_before })
  const rows = [
    row('participant', 3),
    row('address', 2),
    row('delivered', 1),
    row('time', 1, { seconds: 10 }),
    row('time', 1, { seconds: 7_200 }),
    row('participant', 1, { is_before: true }),
  ]
  const totals = {
    days: [day('2026-03-03', 3, false), day('2026-03-01', 1, true)],
    ...{ nb_opened: 8, nb_opened_before: 4 },
  }
  const { now, before } = keyFigures({ totals, rows, periods: PERIODS })
  assert.deepEqual(now, {
    ...{ nb_opened: 8, nb_participants: 3, nb_addresses: 2, nb_delivered: 1 },
    ...{ median_seconds: 3_605, is_more: true },
    days: [
      { day: '2026-03-02', count: 0 },
      { day: '2026-03-03', count: 3 },
    ],
  })
  assert.deepEqual([before?.nb_opened, before?.nb_participants], [4, 1])
  const visited = { days: [], nb_opened: 0, nb_opened_before: 4 }
  assert.equal(keyFigures({ totals: visited, rows, periods: PERIODS }).before?.nb_participants, 0)
})

test('while rows are counted, what counters say is there and the rest is not known', () => {
  const totals = {
    days: [{ day: '2026-03-02', count: 70_000, is_before: false }],
    ...{ nb_opened: 90_000, nb_opened_before: 0 },
  }
  const { now } = keyFigures({ totals, rows: undefined, periods: undefined })
  assert.deepEqual(now, {
    ...{ nb_opened: 90_000, nb_participants: 70_000, nb_addresses: null, nb_delivered: null },
    ...{ median_seconds: null, is_more: false, days: [{ day: '2026-03-02', count: 70_000 }] },
  })
  const unknown = keyFigures({ totals: undefined, rows: undefined, periods: PERIODS })
  assert.deepEqual(
    [unknown.now.nb_participants, unknown.now.days, unknown.before],
    [null, [], null],
  )
})
