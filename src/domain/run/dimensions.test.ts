import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { DIMENSION_RULE } from '#domain/questionnaire/dimensions.ts'
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { questionOf, THIRDS } from '#domain/testing/dimension-questions.ts'
import { enumerableDimensions, listRuns } from '#domain/testing/enumerable-quizzes.ts'
import { type DimensionScoringInput, dimensionScores, percentOf, tierAt } from './dimensions.ts'
import { visitedQuestions } from './path.ts'
import { pointsRangeOf } from './reachable-totals.ts'
import { pointsOf } from './scoring.ts'

const scaleOf = (id: string, more: Partial<SnapshotQuestion> = {}): SnapshotQuestion =>
  questionOf(id, [], { type: 'scale', scale_min: 1, scale_max: 5, counts_in_score: true, ...more })

const scoreOf = (questions: SnapshotQuestion[], replies: Replies, rule?: number) =>
  dimensionScores(
    { questions, dimensions: [{ id: 'd', tiers: THIRDS }], dimension_rule: rule },
    replies,
  )[0]

describe('the score of a dimension', () => {
  /** Expected score in a new version, and in a version with the older rule if that is another one. */
  type Expected = string | undefined
  const cases: [name: string, SnapshotQuestion[], Replies, now: Expected, before?: Expected][] = [
    ['one choice', [questionOf('a', [1, 2, 4])], { a: 'a1' }, '2 of 1…4 is 33 %, weak'],
    [
      'the best answer is 100 %',
      [questionOf('a', [1, 4])],
      { a: 'a1' },
      '4 of 1…4 is 100 %, strong',
    ],
    ['a half is rounded up', [questionOf('a', [0, 1, 8])], { a: 'a1' }, '1 of 0…8 is 13 %, weak'],
    ['negative points', [questionOf('a', [-3, 0, 3])], { a: 'a1' }, '0 of -3…3 is 50 %, fair'],
    [
      'a dimension without an answered question is not shown',
      [questionOf('a', [2, 4], { is_required: false })],
      {},
      undefined,
      '0 of 0…4 is 0 %, weak',
    ],
    [
      'the least possible points are the least of an answer',
      [questionOf('a', [2, 4], { is_required: false })],
      { a: 'a0' },
      '2 of 2…4 is 0 %, weak',
      '2 of 0…4 is 50 %, fair',
    ],
    [
      'a blank question counts neither in the points nor in the range',
      [questionOf('a', [0, 4]), questionOf('b', [-4, -2], { is_required: false })],
      { a: 'a1' },
      '4 of 0…4 is 100 %, strong',
      '4 of -4…4 is 100 %, strong',
    ],
    [
      'an answer without a score has 0',
      [questionOf('a', [null, 4])],
      { a: 'a0' },
      '0 of 0…4 is 0 %, weak',
    ],
    [
      'at most two of several answers',
      [questionOf('a', [1, 2, 3], { max_choices: 2 })],
      { a: ['a0', 'a2'] },
      '4 of 1…5 is 75 %, strong',
    ],
    [
      'any number of several answers',
      [questionOf('a', [1, 2, -3], { max_choices: null })],
      { a: ['a0', 'a2'] },
      '-2 of -3…3 is 17 %, weak',
    ],
    [
      '« Autre » has 0 points',
      [questionOf('a', [2, 4], { has_other: true })],
      { a: 'other:x' },
      '0 of 0…4 is 0 %, weak',
    ],
    ['a scale begins at its first number', [scaleOf('s')], { s: '2' }, '2 of 1…5 is 25 %, weak'],
    [
      'the lowest reply to an optional scale is 0 %',
      [scaleOf('s', { is_required: false })],
      { s: '1' },
      '1 of 1…5 is 0 %, weak',
      '1 of 0…5 is 20 %, weak',
    ],
    [
      'a scale counts whether or not it counts in the total',
      [scaleOf('s', { counts_in_score: false })],
      { s: '4' },
      '4 of 1…5 is 75 %, strong',
      undefined,
    ],
    [
      'a scale without a number of the scale is not answered',
      [scaleOf('s'), scaleOf('t')],
      { s: '9', t: '5' },
      '5 of 1…5 is 100 %, strong',
      '5 of 2…10 is 38 %, fair',
    ],
    [
      '« Autre » is an answer with 0 points to an optional question',
      [questionOf('a', [2, 4], { has_other: true, is_required: false })],
      { a: 'other:x' },
      '0 of 0…4 is 0 %, weak',
    ],
    [
      'several answers to an optional question are at least one',
      [questionOf('a', [1, 2, 3], { max_choices: null, is_required: false })],
      { a: ['a0', 'a1'] },
      '3 of 1…6 is 40 %, fair',
      '3 of 0…6 is 50 %, fair',
    ],
    ['equal answers have no range', [questionOf('a', [3, 3])], { a: 'a0' }, undefined],
    [
      'a dimension without questions',
      [questionOf('a', [0, 1], { dimension_id: null })],
      { a: 'a1' },
      undefined,
    ],
    [
      'a required question that the preview leaves blank is not answered',
      [questionOf('a', [2, 4])],
      {},
      undefined,
      '0 of 2…4 is 0 %, weak',
    ],
  ]
  for (const [name, questions, replies, now, ...before] of cases)
    test(name, () => {
      const lineOf = (rule?: number): Expected => {
        const score = scoreOf(questions, replies, rule)
        return (
          score &&
          `${score.points} of ${score.least}…${score.greatest} is ${score.percent} %, ${score.tier_id}`
        )
      }
      assert.equal(lineOf(DIMENSION_RULE), now)
      assert.equal(lineOf(), before.length > 0 ? before[0] : now)
    })

  test('questions on skipped pages count neither in the points nor in the range', () => {
    const [first, second] = [questionOf('a', [0, 1]), questionOf('b', [0, 9], { page_number: 2 })]
    const [stay, jump] = first.answers as [SnapshotAnswer, SnapshotAnswer]
    const questions = [{ ...first, answers: [stay, { ...jump, jump_to: 3 }] }, second]
    for (const rule of [undefined, DIMENSION_RULE]) {
      assert.deepEqual(scoreOf(questions, { a: 'a1', b: 'b1' }, rule), {
        dimension_id: 'd',
        points: 1,
        least: 0,
        greatest: 1,
        percent: 100,
        tier_id: 'strong',
      })
      assert.equal(scoreOf(questions, { a: 'a0', b: 'b1' }, rule)?.greatest, 10)
      const [other] = questions.map((question) => ({ ...question, dimension_id: null }))
      assert.equal(scoreOf([other as SnapshotQuestion, second], { a: 'a1' }, rule), undefined)
    }
  })

  test('dimensions keep their order, and those without a range are left out', () => {
    const questions = ['x', 'y', 'z'].map((dimension_id, position) =>
      questionOf(`q${position}`, dimension_id === 'y' ? [2, 2] : [0, position + 1], {
        dimension_id,
      }),
    )
    const dimensions = ['z', 'y', 'x', 'none'].map((id) => ({ id, tiers: [] }))
    const scores = dimensionScores(
      { questions, dimensions, dimension_rule: DIMENSION_RULE },
      { q0: 'q01', q1: 'q10', q2: 'q20' },
    )
    assert.deepEqual(
      scores.map(({ dimension_id, percent, tier_id }) => [dimension_id, percent, tier_id]),
      [
        ['z', 0, null],
        ['x', 100, null],
      ],
    )
    assert.deepEqual(dimensionScores({ questions }, {}), [])
  })

  test('the first tier that contains the percentage is given, both ends included', () => {
    const tiers = [
      { id: 'a', from_percent: 10, to_percent: 50 },
      { id: 'b', from_percent: 50, to_percent: 60 },
    ]
    const found = [9, 10, 50, 51, 60, 61].map((percent) => tierAt(tiers, percent)?.id)
    assert.deepEqual(found, [undefined, 'a', 'a', 'b', 'b', undefined])
  })

  test('percentages are whole, and halves are rounded up', () => {
    const percents = [0, 1, 2, 3, 4].map((points) => percentOf(points, 0, 8))
    assert.deepEqual(percents, [0, 13, 25, 38, 50])
    assert.equal(percentOf(1, 0, 200), 1)
    assert.equal(percentOf(-7, -8, 0), 13)
  })
})

/** Lists the points of every possible reply to a question. */
const allPoints = (question: SnapshotQuestion): number[] =>
  (listRuns({ questions: [question] }) ?? []).map(({ replies }) => pointsOf(question, replies))

/** Counts a dimension again, with the range of listed replies and whole-number arithmetic. */
const recount = (
  { questions, dimensions = [], dimension_rule }: DimensionScoringInput,
  replies: Replies,
) =>
  dimensions.flatMap(({ id, tiers }) => {
    const seen = visitedQuestions(questions, replies).filter(
      (question) => question.dimension_id === id,
    )
    const counted =
      dimension_rule === DIMENSION_RULE
        ? seen
            .filter((question) => (replies[question.id] ?? []).length > 0)
            .map((question) => ({
              ...question,
              is_required: true,
              counts_in_score: question.type === 'scale',
            }))
        : seen
    const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
    const least = sum(counted.map((question) => Math.min(...allPoints(question))))
    const greatest = sum(counted.map((question) => Math.max(...allPoints(question))))
    const points = sum(counted.map((question) => pointsOf(question, replies)))
    if (least === greatest) return []
    const range = greatest - least
    let percent = 0
    while (200 * (points - least) >= (2 * percent + 1) * range) percent++
    const tier = tiers.find(
      (candidate) => percent >= candidate.from_percent && percent <= candidate.to_percent,
    )
    return [{ dimension_id: id, points, least, greatest, percent, tier_id: tier?.id ?? null }]
  })

describe('all runs of small quizzes', () => {
  test('have percentages from 0 to 100, equal to a recount over the path', () => {
    let [nb_scores, nb_several, nb_blank] = [0, 0, 0]
    fc.assert(
      fc.property(enumerableDimensions, fc.boolean(), (random, is_older) => {
        const quiz = is_older ? { ...random, dimension_rule: undefined } : random
        for (const { replies } of listRuns(quiz)?.slice(0, 300) ?? []) {
          const scores = dimensionScores(quiz, replies)
          assert.deepEqual(scores, recount(quiz, replies))
          for (const { percent } of scores) assert.ok(percent >= 0 && percent <= 100)
          nb_scores += scores.length
          nb_several += Object.values(replies).filter((reply) => reply.length > 1).length
          nb_blank += Object.keys(replies).length < quiz.questions.length ? 1 : 0
        }
      }),
      { numRuns: 150, seed: 4 },
    )
    assert.ok(Math.min(nb_scores, nb_several, nb_blank) > 100)
  })

  test('give the lowest and highest possible points of each question', () => {
    fc.assert(
      fc.property(enumerableDimensions, ({ questions }) => {
        for (const question of questions) {
          const points = allPoints(question)
          const expected = { from: Math.min(...points), to: Math.max(...points) }
          // -0 and 0 are equal points.
          const { from, to } = pointsRangeOf(question)
          assert.deepEqual(
            { from: from + 0, to: to + 0 },
            { from: expected.from + 0, to: expected.to + 0 },
          )
          assert.ok(isChoice(question) || question.type === 'scale' || to === 0)
        }
      }),
      { numRuns: 200, seed: 9 },
    )
  })
})
