import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyFiguresAnswer } from '#contract/statistics/key-figures.ts'
import {
  type Change,
  changeInPoints,
  changeOf,
  comparedWith,
  daysBefore,
  keyFigureLabels,
} from './key-figure-labels.ts'

const plain = (text: string | null | undefined) => text?.replaceAll(/[\u00a0\u202f]/g, ' ')

test('a change is a percentage, or points of a share, and there is none without an earlier value', () => {
  const table: [now: number | null, before: number | null, change: string | null][] = [
    [118, 100, 'up 18 %'],
    [50, 100, 'down 50 %'],
    [100, 100, 'same '],
    [1_001, 1_000, 'up < 1 %'],
    [30_000, 100, 'up 29 900 %'],
    [5, 0, null],
    [5, null, null],
    [null, 5, null],
    [0, 5, 'down 100 %'],
  ]
  const said = (change: Change | null) => change && plain(`${change.direction} ${change.by}`)
  for (const [now, before, change] of table)
    assert.equal(said(changeOf(now, before)), change, `${now} ${before}`)
  assert.equal(said(changeInPoints(0.734, 0.68)), 'up 5 points')
  assert.equal(said(changeInPoints(0.5, 0.51)), 'down 1 point')
  assert.equal(said(changeInPoints(0.5, 0.501)), 'same ')
  assert.equal(changeInPoints(0.5, null), null)
})

test('the text of a comparison names the earlier days, and says whether today is left out', () => {
  const month = { days_earlier: 30, is_without_today: false }
  assert.equal(comparedWith(month), 'vs 30 jours avant')
  assert.equal(daysBefore(month), '30 jours plus tôt')
  assert.equal(
    comparedWith({ ...month, is_without_today: true }),
    'vs 30 jours avant, hors aujourd’hui',
  )
  assert.equal(comparedWith({ ...month, days_earlier: 1 }), 'vs la veille')
})

const figures: KeyFiguresAnswer['now'] = {
  nb_opened: 1_561,
  nb_participants: 412,
  nb_addresses: 398,
  median_seconds: 108,
  is_more: false,
  nb_delivered: 287,
  days: [],
}
const NO_PERIOD = {
  time_zone: 'Europe/Paris',
  compared: null,
  before: null,
  period: null,
  period_compared: null,
  period_before: null,
}

test('a key figure has a dash if it is unknown, and null while it is being counted', () => {
  const values = (now: KeyFiguresAnswer['now'], as_of?: { counted_at: null }) =>
    keyFigureLabels({ now, ...NO_PERIOD, ...(as_of && { as_of }) }).map(
      ({ value }) => plain(value) ?? value,
    )
  assert.deepEqual(values(figures), ['1 561', '26,4 %', '412', '398', '1 min 48 s', '287'])
  assert.deepEqual(values({ ...figures, nb_opened: null, median_seconds: null }), [
    '-',
    '-',
    '412',
    '398',
    '-',
    '287',
  ])
  const counted = { ...figures, nb_addresses: null, median_seconds: null, nb_delivered: null }
  assert.deepEqual(values(counted, { counted_at: null }), [
    '1 561',
    '26,4 %',
    '412',
    null,
    null,
    null,
  ])
  assert.deepEqual(values({ ...figures, is_more: true })[4], 'Au moins 1 min 48 s')
})

test('only completed days are compared, and only figures with an earlier value', () => {
  const answer = {
    ...NO_PERIOD,
    now: { ...figures, nb_participants: 500, nb_addresses: 500 },
    compared: figures,
    before: { ...figures, nb_participants: 206, nb_opened: null },
  }
  assert.deepEqual(
    keyFigureLabels(answer).map(
      ({ change }) => change && plain(`${change.direction} ${change.by}`),
    ),
    [null, null, 'up 100 %', 'same ', 'same ', 'same '],
  )
})
