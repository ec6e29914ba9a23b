import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isChoice, type Question, type Reply } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { answerOf, questionOf } from '#domain/testing/drafts.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { randomSnapshots } from '#domain/testing/versions-with-replies.ts'
import { reachableTotals } from './reachable-totals.ts'
import { maxChoicesOf, OTHER, scaleOf } from './replies.ts'
import { totalScore } from './scoring.ts'
import { replyErrors } from './submission-checks.ts'

const choice = (
  scores: readonly (number | null | { score: number; jump_to: number })[],
  more: Partial<Question> = {},
): Question =>
  questionOf(`q${more.page_number ?? 1}`, {
    ...more,
    answers: scores.map((given, rank) =>
      answerOf(`a${rank}`, typeof given === 'object' && given ? given : { score: given }),
    ),
  })
const scale = { type: 'scale', counts_in_score: true } as const

const cases: [name: string, questions: Question[], from: number, to: number][] = [
  [
    'the lowest and the highest answer of each question count',
    [choice([1, 5]), choice([-2, null])],
    -1,
    5,
  ],
  ['no question gives zero', [], 0, 0],
  ['a question without answers', [choice([1, 5]), choice([])], 1, 5],
  ['an optional question can add nothing', [choice([2, 5], { is_required: false })], 0, 5],
  ['at most two choices', [choice([1, 2, 3], { max_choices: 2 })], 1, 5],
  ['any number of choices', [choice([1, -2, 3, null], { max_choices: null })], -2, 4],
  ['a required choice among negative scores', [choice([-3, -1], { max_choices: null })], -4, -1],
  ['« Autre… » adds nothing', [choice([2, 5], { has_other: true })], 0, 5],
  ['a scale that counts', [questionOf('n', { ...scale, scale_min: 1, scale_max: 5 })], 1, 5],
  [
    'an optional scale that counts',
    [questionOf('n', { ...scale, scale_min: 1, is_required: false })],
    0,
    10,
  ],
  ['a scale that does not count', [questionOf('n', { type: 'scale' })], 0, 0],
  [
    'a page that an answer jumps over',
    [
      choice([{ score: 1, jump_to: 3 }, 2]),
      choice([10], { page_number: 2, global_position: 1 }),
      choice([4], { page_number: 3, global_position: 2 }),
    ],
    5,
    16,
  ],
  [
    'an answer that leads to the end',
    [choice([{ score: 9, jump_to: 0 }, 2]), choice([3], { page_number: 2, global_position: 1 })],
    5,
    9,
  ],
  [
    'a jump backwards is ignored',
    [
      choice([1]),
      choice(
        [
          { score: 2, jump_to: 1 },
          { score: 3, jump_to: -1 },
        ],
        { page_number: 2, global_position: 1 },
      ),
      choice([10], { page_number: 3, global_position: 2 }),
    ],
    13,
    14,
  ],
]
for (const [name, questions, from, to] of cases)
  test(`the range of reachable totals is computed: ${name}`, () =>
    assert.deepEqual(reachableTotals(questions), { from, to }))

/** Returns every reply that a question accepts, '' if it is optional. */
const repliesOf = (question: SnapshotQuestion): Reply[] => {
  const blank = question.is_required === false ? [''] : []
  if (question.type === 'scale') {
    const { from, to } = scaleOf(question)
    return [...blank, `${from}`, `${to}`]
  }
  if (!isChoice(question)) return [question.type === 'date' ? '2026-01-01' : 'x']
  const offered = question.answers.map(({ id }) => id)
  if (question.has_other) offered.push(`${OTHER}x`)
  const subsets = offered.reduce<string[][]>(
    (all, value) => all.concat(all.map((subset) => [...subset, value])),
    [[]],
  )
  return subsets
    .filter(({ length }) => length <= maxChoicesOf(question))
    .map((parts) => (parts.length > 1 ? parts : (parts[0] ?? '')))
    .filter((reply) => reply !== '' || question.is_required === false)
}

const totalsOf = (snapshot: Snapshot): number[] =>
  snapshot.questions
    .reduce<[string, Reply][][]>(
      (runs, question) =>
        repliesOf(question).flatMap((reply) =>
          runs.map((run): [string, Reply][] => [...run, [question.id, reply]]),
        ),
      [[]],
    )
    .map((run) => {
      const replies = Object.fromEntries(run)
      assert.deepEqual(replyErrors(snapshot, replies), [])
      return totalScore(snapshot, replies) ?? 0
    })

test('the total of every run is within the range, and some runs reach both ends', () =>
  fc.assert(
    fc.property(randomSnapshots({ max_questions: 3 }), (version) => {
      const snapshot: Snapshot = {
        ...version,
        quiz: { ...version.quiz, type: 'quiz' },
        quiz_mode: 'score',
      }
      const totals = totalsOf(snapshot)
      assert.deepEqual(reachableTotals(snapshot.questions), {
        from: Math.min(...totals),
        to: Math.max(...totals),
      })
    }),
    { numRuns: countCases(300) },
  ))
