import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inResultOrder } from '#domain/questionnaire/snapshot.ts'
import { resultOf } from '#domain/testing/drafts.ts'
import { enumerableQuizzes } from '#domain/testing/enumerable-quizzes.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { computeOdds } from './odds.ts'
import { findTotalsWithoutResult, findTotalsWithSeveralResults } from './total-ranges.ts'

const oddsWith = (...totals: number[]) => ({
  totals: totals.map((total) => ({ total, probability: 1 / totals.length })),
})
const tier = (id: string, min_score: number | null, max_score: number | null, priority_order = 0) =>
  resultOf(id, { min_score, max_score, priority_order })

test('totals without a result are grouped into ranges that begin and end at possible totals', () => {
  const odds = oddsWith(1, 2, 3, 5, 8, 9, 12, 20)
  const results = [tier('A', 3, 4), tier('B', 10, 11), tier('C', 20, null)]
  assert.deepEqual(findTotalsWithoutResult(odds, results), [
    { from: 1, to: 2, probability: 2 / 8 },
    { from: 5, to: 9, probability: 3 / 8 },
    { from: 12, to: 12, probability: 1 / 8 },
  ])
  assert.deepEqual(findTotalsWithoutResult(odds, [tier('A', null, null)]), [])
  assert.deepEqual(findTotalsWithoutResult({ totals: [] }, results), [])
})

test('for totals in two tiers, the result with priority is named first', () => {
  const results = [tier('Last', 0, 30, 2), tier('A', 2, 5, 0), tier('B', 5, 8, 1)]
  assert.deepEqual(findTotalsWithSeveralResults(oddsWith(1, 2, 4, 5, 7, 9), results), [
    { from: 2, to: 4, probability: 2 / 6, names: ['A', 'Last'] },
    { from: 5, to: 5, probability: 1 / 6, names: ['A', 'B'] },
    { from: 7, to: 7, probability: 1 / 6, names: ['B', 'Last'] },
  ])
})

test('each possible total without a result, or in several tiers, is in exactly one range', () => {
  fc.assert(
    fc.property(enumerableQuizzes, (quiz_content) => {
      const odds = computeOdds(quiz_content)
      fc.pre(quiz_content.quiz_mode === 'score' && odds?.is_exact === true)
      if (!odds) return
      const results = inResultOrder(quiz_content.results)
      const nbTiers = (total: number): number =>
        results.filter(
          ({ min_score, max_score }) => (min_score ?? 0) <= total && total <= (max_score ?? total),
        ).length
      const without = findTotalsWithoutResult(odds, results)
      const ofTwo = findTotalsWithSeveralResults(odds, results)
      for (const { total } of odds.totals) {
        const isIn = ({ from, to }: { from: number; to: number }) => from <= total && total <= to
        assert.equal(without.filter(isIn).length, nbTiers(total) === 0 ? 1 : 0)
        assert.equal(ofTwo.filter(isIn).length, nbTiers(total) > 1 ? 1 : 0)
      }
      const sum = (all: readonly { probability: number }[]): number =>
        all.reduce((whole, { probability }) => whole + probability, 0)
      assert.ok(Math.abs(sum(without) - odds.no_match_probability) < 1e-12)
      assert.ok(Math.abs(sum(ofTwo) - odds.tie_probability) < 1e-12)
    }),
    { numRuns: countCases(500) },
  )
})
