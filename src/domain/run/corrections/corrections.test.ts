import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Reply } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import {
  answerMark,
  correctionOf,
  correctionsOf,
  correctionsSummary,
  type Verdict,
} from './corrections.ts'
import { isRight } from './is-right.ts'

/** Question whose answers a, b, c, … are right where the letter is in `right`. */
const question = (right: string, more: Partial<SnapshotQuestion> = {}): SnapshotQuestion => ({
  id: 'q',
  text: 'Q',
  type: 'multiple_choice',
  position: 0,
  global_position: 0,
  page_number: 1,
  answers: ['a', 'b', 'c'].map((id, position) => ({
    id,
    text: id.toUpperCase(),
    score: null,
    position,
    associations: [],
    ...(right.includes(id) && { is_correct: true }),
  })),
  ...more,
})
const several = { max_choices: null, has_other: true }

const verdicts: [name: string, SnapshotQuestion, Reply, Verdict | null][] = [
  ['the right answer', question('a'), 'a', 'right'],
  ['another answer', question('a'), 'b', 'incorrect'],
  ['no reply', question('a', { is_required: false }), '', 'blank'],
  ['« Autre » alone', question('a', { has_other: true }), 'other:x', 'incorrect'],
  ['« Autre » without a text', question('a', { has_other: true }), 'other: ', 'blank'],
  ['exactly the right answers', question('ab', several), ['b', 'a'], 'right'],
  ['one of two right answers', question('ab', several), 'a', 'partial'],
  ['the right answers and a wrong one', question('ab', several), ['a', 'b', 'c'], 'partial'],
  ['the right answers and « Autre »', question('ab', several), ['a', 'b', 'other:x'], 'partial'],
  ['only wrong answers', question('ab', several), 'c', 'incorrect'],
  ['every answer is right and chosen', question('abc', several), ['a', 'b', 'c'], 'right'],
  ['a question without a right answer', question(''), 'a', null],
  ['a scale', question('a', { type: 'scale', answers: [] }), '3', null],
]
for (const [name, one, reply, verdict] of verdicts)
  test(`a reply is corrected: ${name}`, () =>
    assert.equal(correctionOf(one, { q: reply })?.verdict ?? null, verdict))

test('a correction names right, chosen and missed answers, and the typed « Autre »', () => {
  const correction = correctionOf(question('ab', several), { q: ['a', 'c', 'other:Un chat'] })
  assert.deepEqual(correction?.answers.map(answerMark), [
    { sign: '✓', label: 'votre réponse, juste' },
    { sign: '✓', label: 'bonne réponse' },
    { sign: '✗', label: 'votre réponse, fausse' },
  ])
  assert.equal(correction?.other, 'Un chat')
  assert.equal(
    answerMark({ is_right: false, is_chosen: false }),
    null,
    'an answer that nobody chose and that is wrong has no mark',
  )
})

test('a run is corrected on its path alone, without questions that have no right answer', () => {
  const first = question('a', { id: 'first' })
  first.answers[0] = { ...(first.answers[0] as (typeof first.answers)[number]), jump_to: 3 }
  const questions = [
    first,
    question('a', { id: 'skipped', page_number: 2 }),
    question('', { id: 'plain', page_number: 3 }),
    question('a', { id: 'last', page_number: 3 }),
  ]
  const corrections = correctionsOf(questions, { first: 'a', skipped: 'a', last: 'b' })
  assert.deepEqual(
    corrections.map(({ question_id, verdict }) => [question_id, verdict]),
    [
      ['first', 'right'],
      ['last', 'incorrect'],
    ],
  )
  assert.equal(correctionsSummary(corrections), '1 réponse juste sur 2')
})

test('the summary is in the plural from two right replies', () => {
  const of = (...all: Verdict[]) => correctionsSummary(all.map((verdict) => ({ verdict })))
  assert.equal(of('incorrect', 'blank'), '0 réponse juste sur 2')
  assert.equal(of('right', 'partial', 'right'), '2 réponses justes sur 3')
})

test('a reply is right if and only if the sets of right and chosen answers are equal', () =>
  fc.assert(
    fc.property(
      fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
      fc.subarray(['c', 'a', 'b', 'other:x']),
      (right, chosen) => {
        const one = question(right.join(''), several)
        const expected = [...right].sort().join() === [...chosen].sort().join()
        assert.equal(isRight(one, { q: chosen }), expected)
        assert.equal(correctionOf(one, { q: chosen })?.verdict === 'right', expected)
      },
    ),
  ))
