import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crosstabOf, crosstabSideOf } from './crosstab.ts'
import { dimensionFigures, tierPlaces } from './dimension-figures.ts'

const tier = (id: string, from_percent: number, to_percent: number, title = id) => ({
  id,
  from_percent,
  to_percent,
  title,
  text: null,
})
const dimension = (id: string, tiers: ReturnType<typeof tier>[]) => ({
  id,
  name: `La ${id}`,
  description: null,
  tiers,
})
const VERSION = {
  version: 1,
  nb_responses: 10,
  snapshot: {
    questions: [],
    results: [],
    dimensions: [
      dimension('d', [tier('low', 0, 40), tier('overlap', 30, 50), tier('high', 80, 100)]),
      dimension('bare', []),
    ],
  },
}
const COUNTS = [
  { version: 1, rank: 1, percent: 35, count: 2 },
  { version: 1, rank: 1, percent: 45, count: 1 },
  { version: 1, rank: 1, percent: 60, count: 3 },
  { version: 1, rank: 1, percent: 100, count: 1 },
  { version: 1, rank: 2, percent: 0, count: 4 },
]

describe('figures of dimensions', () => {
  test('the first matching tier counts, and percents in a gap form a line of their own', () => {
    const [figure] = dimensionFigures([VERSION], COUNTS)
    assert.equal(figure?.nb_participants, 7)
    assert.deepEqual(
      figure?.tiers.map(({ title, count, filter }) => [title, count, filter]),
      [
        ['low', 2, 'low'],
        ['overlap', 1, 'overlap'],
        ['high', 1, 'high'],
        ['Sans palier', 3, undefined],
      ],
    )
    assert.deepEqual(figure?.histogram, [0, 0, 0, 2, 1, 0, 3, 0, 0, 1])
    assert.ok(Math.abs((figure?.mean ?? 0) - 395 / 7) < 1e-9)
  })

  test('equal percents have no spread, and a dimension without tiers has figures', () => {
    const bare = dimensionFigures([VERSION], COUNTS)[1]
    assert.deepEqual([bare?.mean, bare?.deviation, bare?.tiers], [0, 0, []])
  })

  test('a dimension that no participant was shown is omitted', () => {
    assert.deepEqual(
      dimensionFigures([VERSION], [{ version: 1, rank: 1, percent: 5, count: 0 }]),
      [],
    )
  })

  test('a filter means the percents of its tier that no earlier tier contains', () => {
    const [place] = tierPlaces([VERSION], 'overlap')
    assert.deepEqual(
      [place?.rank, place?.percents],
      [1, Array.from({ length: 10 }, (_, index) => 41 + index)],
    )
    assert.deepEqual(tierPlaces([VERSION], 'd'), [])
  })

  test('a table has the tiers of a dimension, and « Sans palier » only if a participant has none', () => {
    const rows = crosstabSideOf([VERSION], 'd')
    const columns = crosstabSideOf([VERSION], 'result')
    assert.ok(rows && columns)
    const cell = { version: 1, column_number: null }
    const tableOf = (percent: number) =>
      crosstabOf(rows, columns, [{ ...cell, row_number: percent, count: 2 }]).rows.items
    assert.deepEqual(
      tableOf(60).map(({ text, count }) => [text, count]),
      [
        ['low', 0],
        ['overlap', 0],
        ['high', 0],
        ['Sans palier', 2],
      ],
    )
    assert.deepEqual(
      tableOf(35).map(({ text }) => text),
      ['low', 'overlap', 'high'],
    )
    assert.equal(crosstabSideOf([VERSION], 'bare'), undefined)
  })
})
