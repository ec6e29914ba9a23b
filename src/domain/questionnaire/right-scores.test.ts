import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import { countCorrectedQuestions, fillRightScores } from './right-scores.ts'

const draft = draftOf({
  quiz_mode: null,
  questions: [
    questionOf('q', {
      answers: [answerOf('a', { is_correct: true, score: 7 }), answerOf('b', { score: null })],
    }),
    questionOf('p', { answers: [answerOf('c', { score: 5 })] }),
  ],
})
const scores = ({ questions }: typeof draft) =>
  questions.map(({ answers }) => answers.map(({ score }) => score))

test('one point goes to each right answer, and questions without one keep their scores', () => {
  const filled = fillRightScores(draft)
  assert.deepEqual(scores(filled), [[1, 0], [5]])
  assert.equal(filled.quiz_mode, 'score')
  assert.equal(countCorrectedQuestions(draft), 1)
})

test('a quiz by profiles is unchanged', () => {
  const profiles = { ...draft, quiz_mode: 'profils' as const }
  assert.equal(fillRightScores(profiles), profiles)
})
