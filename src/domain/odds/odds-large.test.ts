import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import type { Scorable } from '#domain/run/scoring.ts'
import { answerOf, draftOf, questionOf, resultOf } from '#domain/testing/drafts.ts'
import { enumerableQuizzes } from '#domain/testing/enumerable-quizzes.ts'
import { type GivenLikelihoods, type Odds, oddsOf } from './odds.ts'

/** Odds of questionnaires whose runs are too many to list, compared with other computations. */

const DRAWN = { most_states: 0, most_work: 0, most_choices: 2_000, nb_draws: 20_000 }
const WITHOUT_LIMIT = { most_states: 1e6, most_work: 1e9, most_choices: 1e5, nb_draws: 0 }
const ANSWER_BY_ANSWER = { ...DRAWN, most_choices: 0 }

const assertAlike = (odds: Odds | null, expected: Odds | null, most: number): void => {
  assert.ok(odds && expected)
  const near = (actual: number, wanted: number): void =>
    assert.ok(Math.abs(actual - wanted) < most, `${actual}, not ${wanted}`)
  for (const [rank, { probability }] of odds.results.entries())
    near(probability, expected.results[rank]?.probability ?? -1)
  near(odds.tie, expected.tie)
  near(odds.no_match, expected.no_match)
}

test('many results with heavy weights have the odds of light ones', () => {
  const heavier = (counted: Scorable, by: number): Scorable => ({
    ...counted,
    questions: counted.questions.map((question) => ({
      ...question,
      answers: question.answers.map((answer) => ({
        ...answer,
        associations: answer.associations.map((link) => ({ ...link, weight: link.weight * by })),
      })),
    })),
  })
  fc.assert(
    fc.property(enumerableQuizzes, (counted) => {
      fc.pre(counted.quiz_mode === 'profils')
      const light = oddsOf(counted)
      const heavy = heavier(counted, 1_000_003)
      assertAlike(oddsOf(heavy), light, 1e-12)
      assert.deepEqual(
        oddsOf(heavy)?.results.map(({ example }) => example !== null),
        light?.results.map(({ example }) => example !== null),
      )
      const drawn = oddsOf(heavy, new Map(), DRAWN)
      assertAlike(drawn, light, 3 * (drawn?.margin ?? 0) + 1e-12)
    }),
    { numRuns: 200 },
  )
})

/** Makes three questions with fourteen answers, which lead to three results in turn. */
const largeQuiz = (more: Partial<Question>): Scorable =>
  takeSnapshot(
    draftOf({
      quiz_mode: 'profils',
      results: ['A', 'B', 'C'].map((id, priority_order) => resultOf(id, { priority_order })),
      questions: [1, 2, 3].map((page_number) =>
        questionOf(`q${page_number}`, {
          ...{ ...more, page_number, global_position: page_number },
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

const uneven: GivenLikelihoods = new Map([
  ['q1', { replies: Array.from({ length: 15 }, (_, rank) => rank % 4), blank: 5 }],
  ['q3', { replies: Array.from({ length: 15 }, (_, rank) => 1 / (rank + 1)), blank: 0.5 }],
])

for (const [name, more] of [
  ['any number of answers', { max_choices: null }],
  ['three at most', { max_choices: 3, has_other: true }],
  ['eleven at most, or none', { max_choices: 11, is_required: false }],
] as const)
  for (const [how, given] of [
    ['equally likely', new Map()],
    ['as likely as given', uneven],
  ] as const)
    test(`sets of many answers are simulated as often as they are likely: ${name}, ${how}`, () => {
      const counted = largeQuiz(more)
      const exact = oddsOf(counted, given, WITHOUT_LIMIT)
      assert.ok(exact?.is_exact)
      const drawn = oddsOf(counted, given, ANSWER_BY_ANSWER)
      assert.equal(drawn?.is_exact, false)
      assertAlike(drawn, exact, 2 * (drawn?.margin ?? 0))
      for (const { example } of drawn?.results ?? []) {
        const chosen = Object.values(example ?? {}).flat()
        assert.equal(new Set(chosen).size, chosen.length)
      }
    })
