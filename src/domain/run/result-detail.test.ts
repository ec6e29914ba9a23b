import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import { visitorSnapshot } from './public-page/visitor-snapshot.ts'
import { resultDetail } from './result-detail.ts'
import { computeResult, PUBLIC_RULES } from './scoring.ts'

const SHOWN = quizOf({ shows_detail: true })

const scoreQuiz = (more: Partial<Draft> = {}): Draft =>
  draftOf({
    quiz: SHOWN,
    quiz_mode: 'score',
    questions: ['q', 'r'].map((id) =>
      questionOf(id, {
        answers: [0, 1, 5].map((score) => answerOf(`${id}${score}`, { text: 'x', score })),
      }),
    ),
    results: [
      resultOf('haut', { name: 'Haut', min_score: 8, max_score: 999 }),
      resultOf('bas', { name: 'Bas', min_score: -3, max_score: 3 }),
      resultOf('milieu', { name: 'Milieu', min_score: 4, max_score: 7 }),
      resultOf('loin', { name: 'Loin', min_score: 50, max_score: 60 }),
    ],
    ...more,
  })

const profileQuiz = (weights: Record<string, number>[], more: Partial<Draft> = {}): Draft =>
  draftOf({
    quiz: SHOWN,
    quiz_mode: 'profils',
    questions: weights.map((of, index) =>
      questionOf(`q${index}`, {
        answers: [
          answerOf(`a${index}`, {
            text: 'x',
            associations: Object.entries(of).map(([result_id, weight]) => ({
              id: `${index} ${result_id}`,
              answer_id: `a${index}`,
              result_id,
              weight,
              is_checked: true,
            })),
          }),
        ],
      }),
    ),
    results: ['a', 'b', 'c'].map((id, priority_order) =>
      resultOf(id, { name: id, priority_order }),
    ),
    ...more,
  })
const allOf = (draft: Draft) =>
  Object.fromEntries(draft.questions.map(({ id }) => [id, id.replace('q', 'a')]))
const sharesIn = (draft: Draft) => {
  const detail = resultDetail(takeSnapshot(draft), allOf(draft))
  return detail?.kind === 'profils'
    ? detail.rows.map(({ name, percent }) => `${name} ${percent}`)
    : detail
}

describe('the result detail by score', () => {
  test('the detail has the total, the maximum, and the sorted tiers with the position of the total', () => {
    const detail = resultDetail(takeSnapshot(scoreQuiz()), { q: 'q5', r: 'r1' })
    assert.deepEqual(detail, {
      kind: 'score',
      total: 6,
      maximum: 10,
      position: 0.6,
      rows: [
        { id: 'bas', name: 'Bas', from: 0, to: 3, start: 0, end: 0.35 },
        { id: 'milieu', name: 'Milieu', from: 4, to: 7, start: 0.35, end: 0.75 },
        { id: 'haut', name: 'Haut', from: 8, to: 10, start: 0.75, end: 1 },
      ],
    })
  })
  test('the position of the total lies in the tier of the result, also at both ends', () => {
    const snapshot = takeSnapshot(scoreQuiz())
    const scores = fc.constantFrom(0, 1, 5)
    fc.assert(
      fc.property(scores, scores, (first, second) => {
        const replies = { q: `q${first}`, r: `r${second}` }
        const detail = resultDetail(snapshot, replies)
        assert.ok(detail?.kind === 'score')
        const tier = detail.rows.find(
          ({ start, end }) => start <= detail.position && detail.position <= end,
        )
        assert.equal(tier?.id, computeResult(snapshot, replies, PUBLIC_RULES)?.id)
      }),
    )
  })
  test('there is no detail if every run has the same total', () => {
    const questions = [questionOf('q', { answers: [answerOf('a', { text: 'x', score: 3 })] })]
    assert.equal(resultDetail(takeSnapshot(scoreQuiz({ questions })), { q: 'a' }), null)
  })
})

describe('the result detail by profiles', () => {
  const cases: [name: string, weights: Record<string, number>[], expected: string[] | null][] = [
    ['the highest share comes first', [{ a: 1, b: 3 }], ['b 75', 'a 25', 'c 0']],
    ['equal shares are in the order of the results', [{ c: 1 }, { a: 1 }], ['a 50', 'c 50', 'b 0']],
    [
      'the first of three thirds has one percent more',
      [{ a: 1, b: 1, c: 1 }],
      ['a 34', 'b 33', 'c 33'],
    ],
    [
      'the largest remainder gets the remaining percent',
      [{ a: 3, b: 2, c: 2 }],
      ['a 43', 'b 29', 'c 28'],
    ],
    ['there is no detail without weights', [{ a: 0, b: 0 }], null],
    ['there is no detail without associations', [{}], null],
  ]
  for (const [name, weights, expected] of cases)
    test(`the detail has the share of each profile: ${name}`, () =>
      assert.deepEqual(sharesIn(profileQuiz(weights)), expected))
})

test('a visitor’s browser computes the same detail from the data that it receives', () => {
  const drafts: [Draft, Record<string, string>][] = [
    [scoreQuiz(), { q: 'q1', r: 'r5' }],
    [profileQuiz([{ a: 2 }, { b: 1 }]), { q0: 'a0', q1: 'a1' }],
  ]
  for (const [draft, replies] of drafts) {
    const snapshot = takeSnapshot(draft)
    const sent = JSON.parse(
      JSON.stringify(visitorSnapshot(snapshot), (_, value) => value ?? undefined),
    )
    assert.ok(resultDetail(snapshot, replies))
    assert.deepEqual(resultDetail(sent, replies), resultDetail(snapshot, replies))
  }
})

test('there is no detail unless the creator wants it, for a sondage, or without a mode', () => {
  const replies = { q: 'q1', r: 'r5' }
  const sondage = quizOf({ type: 'sondage', shows_detail: true })
  for (const more of [{ quiz: quizOf() }, { quiz: sondage }, { quiz_mode: null }])
    assert.equal(resultDetail(takeSnapshot(scoreQuiz(more)), replies), null)
})
