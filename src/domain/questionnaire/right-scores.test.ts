import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import {
  countCorrectedQuestions,
  countTypedScores,
  markAnswer,
  rightAnswerPoints,
  setRightAnswerPoints,
} from './right-scores.ts'

/** Returns a question whose answers have these scores; a right answer has a mark. */
const choice = (id: string, ...answers: [score: number | null, mark?: 'right'][]) =>
  questionOf(id, {
    type: 'multiple_choice',
    answers: answers.map(([score, mark], rank) =>
      answerOf(`${id}${rank}`, { question_id: id, score, is_correct: mark === 'right' }),
    ),
  })
const draftWith = (...questions: ReturnType<typeof choice>[]) =>
  draftOf({ quiz_mode: null, questions })
const scores = ({ questions }: { questions: ReturnType<typeof choice>[] }) =>
  questions.map(({ answers }) => answers.map(({ score }) => score))
const mark = (answer_id: string, is_correct = true, has_scores = true) => ({
  question_id: 'q',
  answer_id,
  is_correct,
  has_scores,
})

test('a marked answer has 1 point and the others 0, and the last mark that goes takes them back', () => {
  const marked = markAnswer(draftWith(choice('q', [null], [null], [null])), mark('q1'))
  assert.deepEqual(scores(marked), [[0, 1, 0]])
  const both = markAnswer(marked, mark('q2'))
  assert.deepEqual(scores(both), [[0, 1, 1]])
  assert.deepEqual(scores(markAnswer(both, mark('q1', false))), [[0, 0, 1]])
  assert.deepEqual(scores(markAnswer(marked, mark('q1', false))), [[null, null, null]])
})

test('typed scores stay when an answer is marked, and a quiz without scores gets none', () => {
  const typed = draftWith(choice('q', [1], [5]))
  assert.deepEqual(scores(markAnswer(typed, mark('q1'))), [[1, 5]])
  const partly = draftWith(choice('q', [2, 'right'], [1]))
  assert.deepEqual(scores(markAnswer(partly, mark('q1'))), [[2, 1]])
  const sondage = draftWith(choice('q', [null], [null]))
  const marked = markAnswer(sondage, mark('q1', true, false))
  assert.deepEqual(scores(marked), [[null, null]])
  assert.equal(marked.questions[0]?.answers[1]?.is_correct, true)
})

test('a newly marked answer has the points that most questions give', () => {
  const draft = draftWith(
    choice('q', [null], [null]),
    choice('a', [3, 'right'], [0]),
    choice('b', [3, 'right'], [null]),
    choice('c', [2, 'right'], [0]),
  )
  assert.equal(rightAnswerPoints(draft), 3)
  assert.deepEqual(scores(markAnswer(draft, mark('q0')))[0], [3, 0])
  assert.equal(rightAnswerPoints(draftWith(choice('q', [4], [null]))), 1)
})

test('new points go to every right answer, and to typed scores only if they are to be replaced', () => {
  const draft = draftWith(
    choice('q', [1, 'right'], [0]),
    choice('a', [7, 'right'], [2]),
    choice('b', [5]),
  )
  assert.equal(countCorrectedQuestions(draft), 2)
  assert.equal(countTypedScores(draft), 1)
  const set = setRightAnswerPoints(draft, 4)
  assert.deepEqual(scores(set), [[4, 0], [7, 2], [5]])
  assert.equal(set.quiz_mode, 'score')
  const replaced = setRightAnswerPoints(draft, 4, { replaces_typed: true })
  assert.deepEqual(scores(replaced), [[4, 0], [4, 0], [5]])
})

test('a quiz by profiles is unchanged', () => {
  const profiles = {
    ...draftWith(choice('q', [1, 'right'], [0])),
    quiz_mode: 'profils' as const,
  }
  assert.equal(setRightAnswerPoints(profiles, 2), profiles)
})
