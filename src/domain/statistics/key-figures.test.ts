import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyFigures, type RowCount } from './key-figures.ts'

/** Today is March 3. */
const PERIODS = {
  period: { from: '2026-03-02', to: '2026-03-03' },
  period_compared: { from: '2026-03-02', to: '2026-03-02' },
  period_before: { from: '2026-02-28', to: '2026-02-28' },
}
const row = (kind: RowCount['kind'], counts: Partial<RowCount>): RowCount => ({
  kind,
  now: 0,
  compared: 0,
  before: 0,
  seconds: null,
  day: null,
  ...counts,
})
const NOTHING = {
  nb_opened: null,
  nb_participants: 0,
  nb_addresses: 0,
  nb_delivered: 0,
  median_seconds: null,
  is_more: false,
}

test('key figures without counts have no comparison', () => {
  const days = ['2026-03-02', '2026-03-03'].map((day) => ({ day, count: 0 }))
  assert.deepEqual(keyFigures({ totals: undefined, rows: [], periods: PERIODS }), {
    now: { ...NOTHING, days },
    compared: null,
    before: null,
  })
  assert.deepEqual(keyFigures({ totals: undefined, rows: [], periods: undefined }), {
    now: { ...NOTHING, days: [] },
    compared: null,
    before: null,
  })
})

test('each set of days has its own figures, and visits can be compared on their own', () => {
  const rows = [
    row('participant', { now: 3, compared: 1, before: 1 }),
    row('address', { now: 2, compared: 1 }),
    row('delivered', { now: 1 }),
    row('time', { now: 1, compared: 1, seconds: 10 }),
    row('time', { now: 1, before: 1, seconds: 7_200 }),
  ]
  const totals = {
    days: [
      { day: '2026-03-03', count: 2 },
      { day: '2026-03-02', count: 1 },
      // The day before that corresponds to today is not compared.
      { day: '2026-03-01', count: 9 },
      { day: '2026-02-28', count: 1 },
    ],
    opened: { now: 8, compared: 5, before: 4 },
  }
  const { now, compared, before } = keyFigures({ totals, rows, periods: PERIODS })
  assert.deepEqual(now, {
    nb_opened: 8,
    nb_participants: 3,
    nb_addresses: 2,
    nb_delivered: 1,
    median_seconds: 3_605,
    is_more: true,
    days: [
      { day: '2026-03-02', count: 1 },
      { day: '2026-03-03', count: 2 },
    ],
  })
  assert.deepEqual(compared, {
    nb_opened: 5,
    nb_participants: 1,
    nb_addresses: 1,
    nb_delivered: 0,
    median_seconds: 10,
    is_more: false,
    days: [{ day: '2026-03-02', count: 1 }],
  })
  assert.deepEqual(before, {
    nb_opened: 4,
    nb_participants: 1,
    nb_addresses: 0,
    nb_delivered: 0,
    median_seconds: 7_200,
    is_more: true,
    days: [{ day: '2026-02-28', count: 1 }],
  })
  const visited = { days: [], opened: { now: 0, compared: 0, before: 4 } }
  assert.equal(keyFigures({ totals: visited, rows, periods: PERIODS }).before?.nb_participants, 0)
})

test('key figures from counters are known before the rows are counted, and the others are null', () => {
  const totals = {
    days: [{ day: '2026-03-02', count: 70_000 }],
    opened: { now: 90_000, compared: 0, before: 0 },
  }
  const { now } = keyFigures({ totals, rows: undefined, periods: undefined })
  assert.deepEqual(now, {
    nb_opened: 90_000,
    nb_participants: 70_000,
    nb_addresses: null,
    nb_delivered: null,
    median_seconds: null,
    is_more: false,
    days: [{ day: '2026-03-02', count: 70_000 }],
  })
  const unknown = keyFigures({ totals: undefined, rows: undefined, periods: PERIODS })
  assert.deepEqual(
    [unknown.now.nb_participants, unknown.now.days, unknown.before],
    [null, [], null],
  )
})
