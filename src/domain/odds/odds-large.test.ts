import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import type { ScoredQuiz } from '#domain/run/scoring.ts'
import { answerOf, draftOf, questionOf, resultOf } from '#domain/testing/drafts.ts'
import { enumerableQuizzes } from '#domain/testing/enumerable-quizzes.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { computeOdds, type Odds } from './odds.ts'
import type { LikelihoodsByQuestion } from './run-sums.ts'

/** Odds of quizzes that are too large to list all runs, compared with another way to compute the same odds. */

const SIMULATED = {
  max_states: 0,
  max_operations: 0,
  max_listed_choices: 2_000,
  nb_simulated_runs: 20_000,
}
const EXACT = {
  max_states: 1e6,
  max_operations: 1e9,
  max_listed_choices: 1e5,
  nb_simulated_runs: 0,
}
const SIMULATED_BY_ANSWER = { ...SIMULATED, max_listed_choices: 0 }

const assertSimilar = (odds: Odds | null, expected: Odds | null, tolerance: number): void => {
  assert.ok(odds && expected)
  const assertNear = (actual: number, wanted: number): void =>
    assert.ok(Math.abs(actual - wanted) < tolerance, `${actual}, not ${wanted}`)
  for (const [rank, { probability }] of odds.results.entries())
    assertNear(probability, expected.results[rank]?.probability ?? -1)
  assertNear(odds.tie_probability, expected.tie_probability)
  assertNear(odds.no_match_probability, expected.no_match_probability)
}

test('multiplying all weights of a quiz by a large factor does not change its odds', () => {
  const multiplyWeights = (quiz_content: ScoredQuiz, factor: number): ScoredQuiz => ({
    ...quiz_content,
    questions: quiz_content.questions.map((question) => ({
      ...question,
      answers: question.answers.map((answer) => ({
        ...answer,
        associations: answer.associations.map((link) => ({
          ...link,
          weight: link.weight * factor,
        })),
      })),
    })),
  })
  fc.assert(
    fc.property(enumerableQuizzes, (quiz_content) => {
      fc.pre(quiz_content.quiz_mode === 'profils')
      const light = computeOdds(quiz_content)
      const heavy = multiplyWeights(quiz_content, 1_000_003)
      assertSimilar(computeOdds(heavy), light, 1e-12)
      assert.deepEqual(
        computeOdds(heavy)?.results.map(({ example }) => example !== null),
        light?.results.map(({ example }) => example !== null),
      )
      const simulated = computeOdds(heavy, new Map(), SIMULATED)
      assertSimilar(simulated, light, 3 * (simulated?.margin ?? 0) + 1e-12)
    }),
    { numRuns: countCases(200) },
  )
})

/** Creates a quiz by profiles with three questions of fourteen answers and three results. */
const largeQuiz = (more: Partial<Question>): ScoredQuiz =>
  takeSnapshot(
    draftOf({
      quiz_mode: 'profils',
      results: ['A', 'B', 'C'].map((id, priority_order) => resultOf(id, { priority_order })),
      questions: [1, 2, 3].map((page_number) =>
        questionOf(`q${page_number}`, {
          ...more,
          page_number,
          global_position: page_number,
          answers: Array.from({ length: 14 }, (_, rank) =>
            answerOf(`q${page_number}a${rank}`, {
              counts_for: { [['A', 'B', 'C'][(rank * page_number) % 3] ?? '']: 1 + (rank % 2) },
              jump_to: page_number === 1 && rank === 9 ? 3 : null,
            }),
          ),
        }),
      ),
    }),
  )

const UNEVEN_LIKELIHOODS: LikelihoodsByQuestion = new Map([
  ['q1', { replies: Array.from({ length: 15 }, (_, rank) => rank % 4), blank: 5 }],
  ['q3', { replies: Array.from({ length: 15 }, (_, rank) => 1 / (rank + 1)), blank: 0.5 }],
])

for (const [name, more] of [
  ['any number of chosen answers', { max_choices: null }],
  ['at most three answers or « Autre »', { max_choices: 3, has_other: true }],
  ['at most eleven answers or no reply', { max_choices: 11, is_required: false }],
] as const)
  for (const [likelihoodsName, likelihoods] of [
    ['equally likely replies', new Map()],
    ['unevenly likely replies', UNEVEN_LIKELIHOODS],
  ] as const)
    test(`simulated odds agree with exact odds for ${name} and ${likelihoodsName}`, () => {
      const quiz_content = largeQuiz(more)
      const exact = computeOdds(quiz_content, likelihoods, EXACT)
      assert.ok(exact?.is_exact)
      const simulated = computeOdds(quiz_content, likelihoods, SIMULATED_BY_ANSWER)
      assert.equal(simulated?.is_exact, false)
      assertSimilar(simulated, exact, 2 * (simulated?.margin ?? 0))
      for (const { example } of simulated?.results ?? []) {
        const chosen = Object.values(example ?? {}).flat()
        assert.equal(new Set(chosen).size, chosen.length)
      }
    })
