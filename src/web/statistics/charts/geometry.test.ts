import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  areaPath,
  gridValues,
  heightPercent,
  labelledIndexes,
  linePath,
  percentOf,
} from './geometry.ts'

test('the grid of a chart ends at a round whole number that is at least the highest count', () => {
  const table: [max: number, grid: number[]][] = [
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [5, [0, 2, 4, 6]],
    [60, [0, 20, 40, 60]],
    [103, [0, 50, 100, 150]],
    [5_000, [0, 2_000, 4_000, 6_000]],
  ]
  for (const [max, grid] of table) assert.deepEqual(gridValues(max), grid, `${max}`)
  fc.assert(
    fc.property(fc.nat(10_000_000), (max) => {
      const grid = gridValues(max)
      assert.ok((grid.at(-1) ?? 0) >= max && grid.length >= 2 && grid.length <= 5)
      assert.ok(grid.every((value) => Number.isInteger(value)))
    }),
  )
})

test('the bars of a chart stay within it, and every count above 0 is visible', () => {
  assert.equal(percentOf(1, 0), 0)
  assert.equal(percentOf(7, 5), 100)
  assert.equal(percentOf(-1, 5), 0)
  assert.equal(heightPercent(0, 1_000_000), 0)
  assert.equal(heightPercent(1, 1_000_000), 2)
  assert.equal(heightPercent(50, 100), 50)
})

test('the line of a chart goes from the left edge to the right edge', () => {
  assert.equal(linePath([], 10), '')
  assert.equal(linePath([5], 10), 'M50 50')
  assert.equal(linePath([0, 10, 5], 10), 'M0 100L50 0L100 50')
  assert.equal(linePath([0, 10], 10, 3), 'M0 100L50 0')
  assert.equal(areaPath([5], 10), '')
  assert.equal(areaPath([0, 10], 10), 'M0 100L100 0L100 100L0 100Z')
})

test('the labels of a chart axis are evenly spaced and include the first and the last', () => {
  assert.deepEqual(labelledIndexes(3, 5), [0, 1, 2])
  assert.deepEqual(labelledIndexes(30, 4), [0, 10, 19, 29])
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 2, max: 12 }),
      (length, max) => {
        const ranks = labelledIndexes(length, max)
        assert.ok(ranks.length <= max && ranks[0] === 0 && ranks.at(-1) === length - 1)
        assert.equal(new Set(ranks).size, ranks.length)
      },
    ),
  )
})
