import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandsOf, columnColors } from './tier-bands.ts'

const columns = (from: number, width: number, length: number) =>
  Array.from({ length }, (_, rank) => ({
    from: from + rank * width,
    to: from + (rank + 1) * width,
    count: 1,
  }))
const TIERS = [
  { name: 'Bas', min: 0, max: 4, color: 0 },
  { name: 'Haut', min: 5, max: 10, color: 1 },
]

test('adjacent tiers leave no gap, and tiers beyond the columns are left out', () => {
  assert.deepEqual(bandsOf(columns(0, 1, 10), TIERS), [
    { name: 'Bas', range: '0–4', color: 0, from: 0, to: 50 },
    { name: 'Haut', range: '5–10', color: 1, from: 50, to: 100 },
  ])
  assert.deepEqual(
    bandsOf(columns(6, 1, 4), [...TIERS, { name: 'Sept', min: 7, max: 7, color: 2 }]).map(
      ({ name, range, from, to }) => [name, range, from, to],
    ),
    [
      ['Haut', '5–10', 0, 100],
      ['Sept', '7', 25, 50],
    ],
  )
  assert.deepEqual(bandsOf([], TIERS), [])
})

test('a chart column has the colour of the tier that contains the whole column', () => {
  assert.deepEqual(columnColors(columns(3, 1, 4), TIERS), [0, 0, 1, 1])
  // From 4 to 5: one score of each tier.
  assert.deepEqual(columnColors(columns(0, 2, 4), TIERS), [0, 0, 6, 1])
  assert.deepEqual(columnColors(columns(0, 2, 2), []), [0, 0])
})
