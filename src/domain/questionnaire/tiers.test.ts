import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { resultOf } from '#domain/testing/drafts.ts'
import { chartTiersOf, distributeTiers, tierBoundariesOf, tierProblems } from './tiers.ts'

const tier = (name: string, min_score: number | null, max_score: number | null) =>
  resultOf(name, { min_score, max_score })

describe('tiers', () => {
  const cases = [
    {
      name: 'tiers that cover every total once',
      tiers: [tier('a', 0, 4), tier('b', 5, 10)],
      says: [],
    },
    {
      name: 'tiers that are not set yet',
      tiers: [tier('a', null, null), tier('b', 0, null)],
      says: [],
    },
    {
      name: 'gaps before, between and after tiers',
      tiers: [tier('a', 2, 4), tier('b', 7, 8)],
      says: ['gap 0–1', 'gap 5–6', 'gap 9–10'],
    },
    {
      name: 'tiers that overlap, in any order',
      tiers: [tier('b', 4, 10), tier('a', 0, 5)],
      says: ['overlap 4–5 b a'],
    },
    {
      name: 'a tier that ends before it begins does not count',
      tiers: [tier('a', 0, 10), tier('b', 9, 3)],
      says: [],
    },
    {
      name: 'a tier without a maximum contains all higher totals',
      tiers: [tier('a', 0, 4), tier('b', 5, null)],
      says: [],
    },
    {
      name: 'a tier without a minimum begins at 0',
      tiers: [tier('a', null, 4), tier('b', 6, 10)],
      says: ['gap 5–5'],
    },
    {
      name: 'two tiers without a maximum overlap up to the highest reachable total',
      tiers: [tier('a', 0, null), tier('b', 5, null)],
      says: ['overlap 5–10 a b'],
    },
    {
      name: 'a result without bounds contains every total, but is not an overlap',
      tiers: [tier('a', 0, 4), tier('b', null, null)],
      says: [],
    },
    {
      name: 'a tier beyond the reachable totals',
      tiers: [tier('a', 0, 10), tier('b', 20, 30)],
      says: [],
    },
  ]
  for (const { name, tiers, says } of cases)
    test(`the problems of tiers are found: ${name}`, () => {
      const said = tierProblems(tiers, { from: 0, to: 10 }).map((problem) =>
        [
          problem.kind,
          `${problem.from}–${problem.to}`,
          ...('names' in problem ? problem.names : []),
        ].join(' '),
      )
      assert.deepEqual(said, says)
    })

  test('a total score is in a gap exactly if no tier contains it', () => {
    const bound = fc.integer({ min: 0, max: 12 })
    fc.assert(
      fc.property(fc.array(fc.tuple(bound, bound), { minLength: 1, maxLength: 4 }), (bounds) => {
        const tiers = bounds.map(([from, length], index) => tier(`r${index}`, from, from + length))
        const problems = tierProblems(tiers, { from: 0, to: 12 })
        for (let total = 0; total <= 12; total++) {
          const count = bounds.filter(
            ([from, length]) => from <= total && total <= from + length,
          ).length
          const isIn = (kind: string): boolean =>
            problems.some(
              (problem) => problem.kind === kind && problem.from <= total && total <= problem.to,
            )
          assert.equal(isIn('gap'), count === 0)
          assert.equal(isIn('overlap'), count > 1)
        }
      }),
    )
  })
})

describe('the distribution of tiers over the possible totals', () => {
  const total = fc.integer({ min: -5, max: 60 })
  test('tiers are distributed evenly, in order, without gaps or overlaps', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), total, total, (count, a, b) => {
        const reachable = { from: Math.min(a, b), to: Math.max(a, b) }
        const spread = distributeTiers(count, reachable)
        const totals = reachable.to - Math.max(0, reachable.from) + 1
        if (totals < count) {
          assert.equal(spread, null)
          return
        }
        assert.ok(spread)
        assert.equal(spread[0]?.from, Math.max(0, reachable.from))
        assert.equal(spread.at(-1)?.to, reachable.to)
        const sizes = spread.map(({ from, to }) => to - from + 1)
        assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1)
        for (const [index, { from }] of spread.entries())
          if (index > 0) assert.equal(from, (spread[index - 1]?.to ?? 0) + 1)
        const tiers = spread.map(({ from, to }, index) => tier(`r${index}`, from, to))
        assert.deepEqual(
          tierProblems(tiers, { from: Math.max(0, reachable.from), to: reachable.to }),
          [],
        )
      }),
    )
  })

  test('a boundary between two tiers can be moved if they touch', () => {
    const tiers = chartTiersOf([tier('high', 6, 10), tier('low', 0, 5), tier('far', 20, 30)])
    assert.deepEqual(
      tierBoundariesOf(tiers).map(({ lower, upper }) => [lower.name, upper.name]),
      [['low', 'high']],
    )
  })
})
