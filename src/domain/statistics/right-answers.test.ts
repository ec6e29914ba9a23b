import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { BLANK, NOT_VISITED } from '#domain/run/stored-replies.ts'
import { answerOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import { rightAnswerFigures, rightSlots } from './right-answers.ts'

/** Makes a choice with four answers, of which those at `right` are right. */
const choice = (id: string, position: number, right: number[], more: Partial<Question> = {}) =>
  questionOf(id, {
    position,
    global_position: position,
    answers: [0, 1, 2, 3].map((rank) =>
      answerOf(`${id}${rank}`, { is_correct: right.includes(rank) }),
    ),
    ...more,
  })
const versionOf = (version: number, nb_responses: number, questions: Question[]) => ({
  version,
  nb_responses,
  snapshot: takeSnapshot(draftOf({ questions })),
})
const count = (version: number, question_position: number, counts: Record<number, number>) =>
  Object.entries(counts).map(([answer, count]) => ({
    version,
    question_position,
    answer_position: Number(answer),
    count,
  }))

const SEVERAL = { max_choices: null, has_other: true }
const OLD = versionOf(1, 10, [choice('one', 0, [1]), choice('set', 1, [0, 2], SEVERAL)])
const NEW = versionOf(2, 20, [
  choice('set', 0, [3], { max_choices: 2 }),
  choice('one', 1, [], { is_required: false }),
  choice('easy', 2, [0], { is_required: false }),
])
const COUNTS = [
  ...count(1, 0, { 0: 4, 1: 5, [BLANK]: 1 }),
  ...count(2, 1, { 1: 20 }),
  ...count(2, 2, { 0: 12, 1: 1, [BLANK]: 2, [NOT_VISITED]: 5 }),
]
const SETS = [
  { version: 1, question_id: 'set', count: 3 },
  { version: 2, question_id: 'set', count: 4 },
]
const lines = (...given: Parameters<typeof rightAnswerFigures>) =>
  rightAnswerFigures(...given).map((figure) => [
    figure.question_id,
    figure.nb_asked,
    figure.nb_answered,
    figure.nb_right,
  ])

describe('figures of right answers', () => {
  test('versions count together where the question had a right answer, hardest first', () => {
    assert.deepEqual(lines([OLD, NEW], COUNTS, SETS), [
      ['set', 30, 30, 7],
      ['one', 10, 9, 5],
      ['easy', 15, 13, 12],
    ])
  })

  test('shares are compared exactly, and equal shares keep the order of the questions', () => {
    const asked = versionOf(1, 3, [choice('a', 0, [0]), choice('b', 1, [1]), choice('c', 2, [2])])
    const counts = [...count(1, 0, { 0: 2 }), ...count(1, 1, { 1: 1 }), ...count(1, 2, { 2: 1 })]
    assert.deepEqual(
      lines([asked], counts, []).map(([id]) => id),
      ['b', 'c', 'a'],
    )
  })

  test('no figures without right answers, without participants who saw the question, or of a sondage', () => {
    const bare = versionOf(1, 5, [choice('one', 0, [])])
    assert.deepEqual(lines([bare], count(1, 0, { 0: 5 }), []), [])
    assert.deepEqual(lines([OLD], count(1, 0, { [NOT_VISITED]: 10 }), []), [['set', 10, 10, 0]])
    assert.deepEqual(lines([{ ...OLD, is_sondage: true }], COUNTS, SETS), [])
    assert.deepEqual(rightSlots([{ ...OLD, is_sondage: true }]), [])
  })

  test('the right reply to several choices has the ranks in order, and null in the other slots', () => {
    assert.deepEqual(rightSlots([OLD, NEW]), [
      { version: 1, question_id: 'set', first: 2, last: 6, numbers: [0, 2, null, null, null] },
      { version: 2, question_id: 'set', first: 1, last: 2, numbers: [3, null] },
    ])
  })
})
