import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percentageOf } from '#domain/common/numbers.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { answerOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import {
  estimateParticipantLikelihoods,
  fitWeights,
  MIN_PARTICIPANTS_FOR_LIKELIHOODS,
} from './participant-likelihoods.ts'

type Counts = [text: string, count: number][]

/** Returns the likelihoods of one question that all participants saw and answered, with these counts. */
const likelihoodsOf = (
  more: Partial<Question>,
  lines: Counts,
  {
    nb_seen,
    nb_answered,
    nb_participants = nb_seen,
  }: Record<'nb_seen' | 'nb_answered', number> & {
    nb_participants?: number
  },
) => {
  const answers = lines.map(([answer_text, count]) => ({
    answer_text,
    count,
    percentage: percentageOf(count, nb_answered),
  }))
  return estimateParticipantLikelihoods(
    takeSnapshot(draftOf({ questions: [questionOf('q', more)] })),
    {
      stats: { q: { question_text: 'q ?', answers } },
      figures: { nb_participants, questions: { q: { nb_seen, nb_answered } } },
    },
  )
}
const answers = (...texts: string[]) => texts.map((text) => answerOf(text, { text }))

test('with at least thirty participants, the likelihoods of single-choice replies are their counts', () => {
  const likelihoodsWith = (nb_seen: number) =>
    likelihoodsOf(
      { answers: answers('A', 'B') },
      [
        ['A', 20],
        ['B', 9],
      ],
      { nb_seen, nb_answered: 29 },
    )
  assert.equal(likelihoodsWith(MIN_PARTICIPANTS_FOR_LIKELIHOODS - 1), null)
  assert.deepEqual(likelihoodsWith(MIN_PARTICIPANTS_FOR_LIKELIHOODS)?.get('q'), {
    replies: [20, 9],
    blank: 1,
  })
})

/** Counts of three answers, one of which (« Gone ») the draft no longer has. */
const COUNTS_WITH_DELETED_ANSWER: Counts = [
  ['A', 20],
  ['B', 0],
  ['Gone', 10],
]

test('likelihoods match answers by text and ignore the participants who chose a deleted answer', () => {
  const likelihoods = likelihoodsOf(
    { answers: answers('B', 'A'), is_required: false },
    COUNTS_WITH_DELETED_ANSWER,
    {
      nb_seen: 40,
      nb_answered: 30,
    },
  )
  assert.deepEqual(likelihoods?.get('q'), { replies: [0, 20], blank: 20 / 3 })
})

for (const [name, more] of [
  ['a new or reworded answer', { answers: answers('A', 'B', 'Gone!') }],
  ['a new « Autre »', { answers: answers('A', 'B'), has_other: true }],
  ['a new scale number', { type: 'scale', scale_min: 1, scale_max: 5 }],
] as const)
  test(`likelihoods omit a question with ${name}, because no participant saw it`, () => {
    const lines: Counts =
      'type' in more
        ? ['1', '2', '3', '4'].map((number) => [number, 10])
        : COUNTS_WITH_DELETED_ANSWER
    const likelihoods = likelihoodsOf(more, lines, { nb_seen: 40, nb_answered: 40 })
    assert.equal(likelihoods?.size, 0)
  })

test('likelihoods match answers with equal texts in order, and « Autre » to the last line with its text', () => {
  const likelihoods = likelihoodsOf(
    { answers: answers('Oui', 'Oui', 'Autre'), has_other: true },
    [
      ['Oui', 1],
      ['Oui', 2],
      ['Autre', 3],
      ['Autre', 34],
    ],
    { nb_seen: 40, nb_answered: 40 },
  )
  assert.deepEqual(likelihoods?.get('q')?.replies, [1, 2, 3, 34])
})

test('the likelihoods of a scale are the counts of its numbers', () => {
  const likelihoods = likelihoodsOf(
    { type: 'scale', scale_min: 1, scale_max: 5, is_required: false },
    [
      ['1', 3],
      ['2', 0],
      ['3', 10],
      ['4', 0],
      ['5', 17],
      ['10', 6],
    ],
    { nb_seen: 40, nb_answered: 36 },
  )
  // 4 of 40 participants left the question blank: 10 / 3 of 30 + 10 / 3 is also one tenth.
  assert.deepEqual(likelihoods?.get('q'), { replies: [3, 0, 10, 0, 17], blank: 10 / 3 })
})

test('likelihoods omit a question without replies', () => {
  const likelihoods = likelihoodsOf({ answers: answers('A') }, [], {
    nb_seen: 0,
    nb_answered: 0,
    nb_participants: 30,
  })
  assert.equal(likelihoods?.size, 0)
})

/**
 * Returns the share of each answer over all sets of 1 to `max_answers` answers, whose likelihood is the product of their
 * weights.
 */
const sharesOf = (weights: readonly number[], max_answers: number): number[] => {
  const sets = Array.from({ length: 2 ** weights.length }, (_, bits) =>
    [...weights.keys()].filter((rank) => bits & (1 << rank)),
  ).filter(({ length }) => length > 0 && length <= max_answers)
  const weightOf = (set: readonly number[]): number =>
    set.reduce((product, rank) => product * (weights[rank] ?? 0), 1)
  const sum = (of: readonly number[][]): number => of.reduce((all, set) => all + weightOf(set), 0)
  return [...weights.keys()].map(
    (rank) => sum(sets.filter((set) => set.includes(rank))) / sum(sets),
  )
}

for (const [name, counts, max_answers, tolerance] of [
  ['any number of answers may be chosen', [60, 30, 20, 90], 4, 1e-4],
  ['at most two answers may be chosen', [60, 50, 20, 30], 2, 1e-4],
  ['nobody chose one of the answers', [60, 0, 70], 3, 1e-4],
  ['each participant chose one answer, although several were allowed', [60, 30, 10], 3, 0.01],
  ['every participant chose one of the answers', [100, 30, 40], 3, 0.01],
] as const)
  test(`fitted weights reproduce how often each answer was chosen if ${name}`, () => {
    const { replies } = fitWeights(counts, { nb_answered: 100, max_answers })
    for (const [rank, share] of sharesOf(replies, max_answers).entries())
      assert.ok(Math.abs(share - (counts[rank] ?? 0) / 100) < tolerance, `${rank}: ${share}`)
  })

const fewReplies: [name: string, counts: number[]][] = [
  ['one answer', [2, 0, 0]],
  ['two answers', [3, 1, 0]],
]
for (const [name, counts] of fewReplies)
  test(`fitted weights reproduce the shares if few choices of ${name} were counted`, () => {
    const { replies, sum } = fitWeights(counts, { nb_answered: 100, max_answers: 3 })
    assert.ok(sum > 0)
    const total = counts.reduce((all, count) => all + count, 0)
    for (const [rank, share] of sharesOf(replies, 3).entries())
      assert.ok(Math.abs(share - (counts[rank] ?? 0) / total) < 0.01, `${rank}: ${share}`)
  })

test('a question with several choices is left blank with the probability observed among participants', () => {
  const likelihoods = likelihoodsOf(
    { answers: answers('A', 'B', 'C'), max_choices: null, is_required: false },
    [
      ['A', 20],
      ['B', 15],
      ['C', 10],
    ],
    { nb_seen: 40, nb_answered: 30 },
  )?.get('q')
  const weights = likelihoods?.replies ?? []
  const all = weights.reduce((product, weight) => product * (1 + weight), 1) - 1
  assert.ok(likelihoods && Math.abs(likelihoods.blank / (likelihoods.blank + all) - 10 / 40) < 1e-6)
})
