import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { QuizMode } from '#domain/common/vocabulary.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import { explainResult } from './explanation.ts'
import { computeResult, PUBLIC_RULES, type ScoredQuiz, totalScore } from './scoring.ts'

const resultOf = (
  rank: number,
  min_score: number | null,
  max_score: number | null,
): SnapshotResult => ({
  id: `r${rank}`,
  name: `Résultat ${rank}`,
  description: null,
  priority_order: rank,
  min_score,
  max_score,
})
const answerOf = (id: string, score: number, weights: number[]): SnapshotAnswer => ({
  id,
  text: id,
  score,
  position: 0,
  associations: weights.map((weight, rank) => ({
    result_id: `r${rank}`,
    weight,
    is_checked: weight > 0,
  })),
})
const quizOf = (
  quiz_mode: QuizMode,
  results: SnapshotResult[],
  answers: SnapshotAnswer[][],
): ScoredQuiz => ({
  quiz: {
    name: 'Q',
    type: 'quiz',
    status: 'Publié',
    bg_color: null,
    text_color: null,
    button_color: null,
    button_text_color: null,
    accent_color: null,
  },
  quiz_mode,
  results,
  questions: answers.map((own, position) => ({
    id: `q${position}`,
    text: `Question ${position}`,
    type: 'multiple_choice',
    position,
    global_position: position,
    page_number: 1,
    answers: own,
  })),
})

describe('an explanation by score', () => {
  const quiz = quizOf(
    'score',
    [resultOf(0, 0, 4), resultOf(1, 5, 9), resultOf(2, 20, null)],
    [[answerOf('a', 3, [])], [answerOf('b', 3, [])]],
  )
  const why = explainResult(quiz, { q0: 'a', q1: 'b' })

  test('the scores of the answers add up to the total', () => {
    assert.deepEqual(
      why.contributions.map(({ answer_text, score }) => [answer_text, score]),
      [
        ['a', 3],
        ['b', 3],
      ],
    )
    assert.deepEqual([why.score, why.result_name, why.is_fallback], [6, 'Résultat 1', false])
  })

  test('the nearest other tier is the runner-up, with its missing or excess points', () => {
    assert.deepEqual(why.runner_up, { result_name: 'Résultat 0', margin: 2 })
    assert.deepEqual(
      why.standings.map(({ result_name, distance }) => [result_name, distance]),
      [
        ['Résultat 1', 0],
        ['Résultat 0', 2],
        ['Résultat 2', 14],
      ],
    )
  })

  test('a total outside every tier gives the first result, as a fallback', () => {
    const far = quizOf('score', [resultOf(0, 5, 6), resultOf(1, 7, 8)], [[answerOf('a', 99, [])]])
    const { is_fallback, result_name } = explainResult(far, { q0: 'a' })
    assert.deepEqual([is_fallback, result_name], [true, 'Résultat 0'])
  })
})

describe('the explanation of a path of several pages', () => {
  const results = [resultOf(0, 0, 4), resultOf(1, 5, null)]
  const pagedQuiz = (quiz_mode: QuizMode): ScoredQuiz => {
    const answers = [
      [answerOf('a', 1, [1, 0]), { ...answerOf('b', 2, [0, 1]), jump_to: 3 }],
      [answerOf('c', 50, [9, 9])],
      [answerOf('d', 3, [1, 2]), answerOf('e', 4, [2, 0])],
    ]
    const quiz = quizOf(quiz_mode, results, answers)
    const [first, second, third] = quiz.questions.map((question, index) => ({
      ...question,
      page_number: index + 1,
      is_required: false,
    }))
    assert.ok(first && second && third)
    const several = { ...third, max_choices: null, has_other: true }
    const note = { ...third, id: 'note', text: 'Note', type: 'scale' as const, answers: [] }
    return { ...quiz, questions: [first, second, several, { ...note, counts_in_score: true }] }
  }
  const broughtBy = (mode: QuizMode, replies: Replies) =>
    explainResult(pagedQuiz(mode), replies).contributions.map(
      ({ question_text, answer_text, score, points }) =>
        [question_text, answer_text, score ?? points.map((row) => row.points).join(' ')].join(
          ' | ',
        ),
    )
  const replies = { q0: 'b', q1: 'c', q2: ['d', 'e', 'other:x'], note: '7' }

  test('only visited pages count, and several answers and counting scales add up', () => {
    assert.deepEqual(broughtBy('score', replies), [
      'Question 0 | b | 2',
      'Question 2 | d, e, Autre : x | 7',
      'Note | 7 | 7',
    ])
    assert.equal(explainResult(pagedQuiz('score'), replies).score, 16)
  })

  test('by profils, several answers add their points to a result, and a scale adds none', () =>
    assert.deepEqual(broughtBy('profils', replies), [
      'Question 0 | b | 1',
      'Question 2 | d, e, Autre : x | 3 2',
    ]))

  test('the explanation of a blank question has no reply', () =>
    assert.deepEqual(broughtBy('score', { q0: 'b' }), [
      'Question 0 | b | 2',
      'Question 2 |  | 0',
      'Note |  | 0',
    ]))
})

test('the explanation by profils has the points of each result and the margin to the next', () => {
  const quiz = quizOf(
    'profils',
    [resultOf(0, null, null), resultOf(1, null, null)],
    [[answerOf('a', 0, [2, 1])], [answerOf('b', 0, [3, 0])]],
  )
  const why = explainResult(quiz, { q0: 'a', q1: 'b' })
  assert.deepEqual(why.contributions[0]?.points, [
    { result_name: 'Résultat 0', points: 2 },
    { result_name: 'Résultat 1', points: 1 },
  ])
  assert.deepEqual(why.runner_up, { result_name: 'Résultat 1', margin: 4 })
})

describe('the explanation of a tie', () => {
  const [first, second, third] = [
    resultOf(0, null, null),
    resultOf(1, null, null),
    resultOf(2, null, null),
  ]
  const quiz = quizOf(
    'profils',
    [first, second, third],
    [
      [answerOf('a', 0, [1, 0])],
      [answerOf('b', 0, [0, 1]), answerOf('c', 0, [0, 0, 1]), answerOf('none', 0, [])],
      [answerOf('d', 0, [1, 1, 1])],
    ],
  )
  const tieWith = (ties: Partial<ScoredQuiz['quiz']>, replies: Replies) => {
    const { result_name, tie } = explainResult(
      { ...quiz, quiz: { ...quiz.quiz, ...ties } },
      replies,
    )
    return [result_name, tie && Object.values(tie).flat().join(' | ')]
  }
  const equal = { q0: 'a', q1: 'b', q2: 'd' }
  const byQuestion = (tie_question_id: string) => ({
    tie_rule: 'question' as const,
    tie_question_id,
  })
  const cases: [string, Partial<ScoredQuiz['quiz']>, Replies, unknown[]][] = [
    ['by the order of results', {}, equal, ['Résultat 0', 'Résultat 1 | order | ']],
    [
      'by the answer to a question',
      byQuestion('q1'),
      equal,
      ['Résultat 1', 'Résultat 0 | question | 2'],
    ],
    [
      'by the order if the answer names no result',
      byQuestion('q1'),
      { ...equal, q1: 'none', q0: '' },
      ['Résultat 0', 'Résultat 1 | Résultat 2 | order | 2'],
    ],
    [
      'by showing all',
      { tie_rule: 'both' },
      { q2: 'd' },
      ['Résultat 0', 'Résultat 1 | Résultat 2 | all_shown | '],
    ],
    [
      'no tie if one result has more points',
      { tie_rule: 'both' },
      { q0: 'a', q2: 'd' },
      ['Résultat 0', null],
    ],
    ['no tie if no answer counts', { tie_rule: 'both' }, { q1: 'none' }, ['Résultat 0', null]],
  ]
  for (const [name, ties, replies, expected] of cases)
    test(`the explanation states how a tie was settled: ${name}`, () =>
      assert.deepEqual(tieWith(ties, replies), expected))
})

test('a sondage or a single result has no runner-up', () => {
  const quiz = quizOf('profils', [resultOf(0, null, null)], [[answerOf('a', 0, [1])]])
  assert.equal(explainResult(quiz, { q0: 'a' }).runner_up, null)
  const sondage: ScoredQuiz = { ...quiz, quiz: { ...quiz.quiz, type: 'sondage' } }
  const why = explainResult(sondage, { q0: 'a' })
  assert.deepEqual([why.result_name, why.standings, why.runner_up], [null, [], null])
})

test('the explanation of any quiz has the given result and score', () => {
  const bound = fc.option(fc.nat(12), { nil: null })
  const quizzes = fc
    .record({
      mode: fc.constantFrom<QuizMode>('score', 'profils', null),
      bounds: fc.array(fc.tuple(bound, bound), { maxLength: 4 }),
      answers: fc.array(fc.tuple(fc.nat(6), fc.array(fc.nat(3), { maxLength: 4 })), {
        maxLength: 5,
      }),
    })
    .map(({ mode, bounds, answers }) =>
      quizOf(
        mode,
        bounds.map(([min, max], rank) => resultOf(rank, min, max)),
        answers.map(([score, weights], rank) => [
          answerOf(`a${rank}`, score, weights.slice(0, bounds.length)),
        ]),
      ),
    )
  fc.assert(
    fc.property(quizzes, (quiz) => {
      const replies = Object.fromEntries(quiz.questions.map(({ id }, rank) => [id, `a${rank}`]))
      const why = explainResult(quiz, replies)
      assert.equal(why.result_name, computeResult(quiz, replies, PUBLIC_RULES)?.name ?? null)
      assert.equal(why.score, totalScore(quiz, replies))
      assert.equal(why.contributions.length, quiz.questions.length)
      assert.equal(why.standings.length, quiz.results.length)
      if (why.score !== null)
        assert.equal(
          why.contributions.reduce((sum, { score }) => sum + (score ?? 0), 0),
          why.score,
        )
      if (why.runner_up && !why.is_fallback) assert.ok(why.runner_up.margin >= 0)
    }),
  )
})
