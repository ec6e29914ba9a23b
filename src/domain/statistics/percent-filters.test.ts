import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JUMP_TO_END } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { certificatePercent } from '#domain/reports/certificate.ts'
import { totalScore } from '#domain/run/scoring.ts'
import { answerOf, draftOf, questionOf, quizOf } from '#domain/testing/drafts.ts'
import {
  canFilterByScorePercent,
  filteredPercents,
  isPercentFilter,
  scorePlaces,
  writePercents,
} from './percent-filters.ts'

const question = (id: string, scores: number[], jump_to: number | null = null) =>
  questionOf(id, {
    type: 'multiple_choice',
    answers: scores.map((score, rank) =>
      answerOf(`${id}${rank}`, { question_id: id, text: `${id}${rank}`, score, jump_to }),
    ),
  })
const snapshotOf = (...questions: ReturnType<typeof question>[]) =>
  takeSnapshot(draftOf({ quiz: quizOf({ type: 'quiz' }), quiz_mode: 'score', questions }))

test('a filter has a range for each subject within 0 to 100', () => {
  assert.equal(isPercentFilter('score:50-100'), true)
  for (const filter of ['', 'score', 'score:60-50', 'score:0-101', 'score:-1-5', 'autre:0-5'])
    assert.equal(isPercentFilter(filter), false, filter)
  const filters = filteredPercents('score:50-100,score:20-30,a1:0-9')
  assert.equal(writePercents(filters), 'a1:0-9,score:20-30')
})

test('the scores of a range are those whose percent the certificate prints in this range', () => {
  const snapshot = snapshotOf(question('a', [-1, 2, 5]), question('b', [0, 3, 4]))
  const version = { version: 1, nb_responses: 9, snapshot }
  assert.equal(canFilterByScorePercent([version]), true)
  const runs = [0, 1, 2].flatMap((a) => [0, 1, 2].map((b) => ({ a: `a${a}`, b: `b${b}` })))
  for (const [from, to] of [
    [0, 100],
    [0, 49],
    [33, 66],
    [50, 100],
    [100, 100],
  ] as const) {
    const [place = assert.fail()] = scorePlaces([version], { subject: 'score', from, to })
    for (const replies of runs) {
      const percent = certificatePercent(snapshot, replies) ?? -1
      const score = totalScore(snapshot, replies) ?? Number.NaN
      assert.equal(
        score >= (place.from_score ?? score) && score <= (place.to_score ?? score),
        percent >= from && percent <= to,
        JSON.stringify({ replies, percent, score, place }),
      )
    }
  }
})

test('a version with jumps cannot be filtered by the percent of the score', () => {
  const snapshot = snapshotOf(question('a', [0, 1], JUMP_TO_END), question('b', [0, 3]))
  assert.equal(canFilterByScorePercent([{ version: 1, snapshot }]), false)
})
