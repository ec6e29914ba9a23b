import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percentageOf } from '#domain/common/numbers.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { answerOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import {
  fitWeights,
  MIN_PARTICIPANTS_FOR_LIKELIHOODS,
  participantLikelihoods,
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
    ...{ answer_text, count },
    percentage: percentageOf(count, nb_answered),
  }))
  return participantLikelihoods(takeSnapshot(draftOf({ questions: [questionOf('q', more)] })), {
    stats: { q: { question_text: 'q ?', answers } },
    figures: { nb_participants, questions: { q: { nb_seen, nb_answered } } },
  })
}
const answers = (...texts: string[]) => texts.map((text) => answerOf(text, { text }))

test('likelihoods equal the counts, with at least thirty participants', () => {
  const counted = (nb_seen: number) =>
    likelihoodsOf(
      { answers: answers('A', 'B') },
      [
        ['A', 20],
        ['B', 9],
      ],
      { nb_seen, nb_answered: 29 },
    )
  assert.equal(counted(MIN_PARTICIPANTS_FOR_LIKELIHOODS - 1), null)
  assert.deepEqual(counted(MIN_PARTICIPANTS_FOR_LIKELIHOODS)?.get('q'), {
    replies: [20, 9],
    blank: 1,
  })
})

/** Counts of three answers, one of which no one chose. */
const TAKEN: Counts = [
  ['A', 20],
  ['B', 0],
  ['Gone', 10],
]

test('answers are matched by text: a deleted answer and its participants do not count', () => {
  const given = likelihoodsOf({ answers: answers('B', 'A'), is_required: false }, TAKEN, {
    nb_seen: 40,
    nb_answered: 30,
  })
  assert.deepEqual(given?.get('q'), { replies: [0, 20], blank: 20 / 3 })
})

for (const [name, more] of [
  ['an answer that is new, or reads otherwise', { answers: answers('A', 'B', 'Gone!') }],
  ['« Autre » that is new', { answers: answers('A', 'B'), has_other: true }],
  ['a number that is new', { type: 'scale', scale_min: 1, scale_max: 5 }],
] as const)
  test(`a question with an answer that nobody saw has no likelihoods: ${name}`, () => {
    const lines: Counts =
      'type' in more ? ['1', '2', '3', '4'].map((number) => [number, 10]) : TAKEN
    const given = likelihoodsOf(more, lines, { nb_seen: 40, nb_answered: 40 })
    assert.equal(given?.size, 0)
  })

test('answers with equal texts have separate lines, and « Autre » is the last line of its name', () => {
  const given = likelihoodsOf(
    { answers: answers('Oui', 'Oui', 'Autre'), has_other: true },
    [
      ['Oui', 1],
      ['Oui', 2],
      ['Autre', 3],
      ['Autre', 34],
    ],
    { nb_seen: 40, nb_answered: 40 },
  )
  assert.deepEqual(given?.get('q')?.replies, [1, 2, 3, 34])
})

test('a scale has the count of each number', () => {
  const given = likelihoodsOf(
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
  // The likelihood of no reply equals that of the 4 of 40 who left it blank.
  assert.deepEqual(given?.get('q'), { replies: [3, 0, 10, 0, 17], blank: 10 / 3 })
})

test('a question without replies has no likelihoods', () => {
  const given = likelihoodsOf({ answers: answers('A') }, [], {
    nb_seen: 0,
    nb_answered: 0,
    nb_participants: 30,
  })
  assert.equal(given?.size, 0)
})

/**
 * Returns the share of each answer over all sets of 1 to `most` answers, whose likelihood is the product of their
 * weights.
 */
const sharesOf = (weights: readonly number[], most: number): number[] => {
  const sets = Array.from({ length: 2 ** weights.length }, (_, bits) =>
    [...weights.keys()].filter((rank) => bits & (1 << rank)),
  ).filter(({ length }) => length > 0 && length <= most)
  const weightOf = (set: readonly number[]): number =>
    set.reduce((product, rank) => product * (weights[rank] ?? 0), 1)
  const sum = (of: readonly number[][]): number => of.reduce((all, set) => all + weightOf(set), 0)
  return [...weights.keys()].map(
    (rank) => sum(sets.filter((set) => set.includes(rank))) / sum(sets),
  )
}

for (const [name, counts, most, near] of [
  ['any number of answers', [60, 30, 20, 90], 4, 1e-4],
  ['two at most', [60, 50, 20, 30], 2, 1e-4],
  ['an answer that nobody chose', [60, 0, 70], 3, 1e-4],
  ['one answer each, though several may be chosen', [60, 30, 10], 3, 0.01],
  ['an answer that everybody chose', [100, 30, 40], 3, 0.01],
] as const)
  test(`each answer is in a set as often as it was chosen: ${name}`, () => {
    const { replies } = fitWeights(counts, { nb_answered: 100, most })
    for (const [rank, share] of sharesOf(replies, most).entries())
      assert.ok(Math.abs(share - (counts[rank] ?? 0) / 100) < near, `${rank}: ${share}`)
  })

const few: [name: string, counts: number[]][] = [
  ['one', [2, 0, 0]],
  ['two', [3, 1, 0]],
]
for (const [name, counts] of few)
  test(`with few counted replies, each answer has its share: ${name}`, () => {
    const { replies, sum } = fitWeights(counts, { nb_answered: 100, most: 3 })
    assert.ok(sum > 0)
    const total = counts.reduce((all, count) => all + count, 0)
    for (const [rank, share] of sharesOf(replies, 3).entries())
      assert.ok(Math.abs(share - (counts[rank] ?? 0) / total) < 0.01, `${rank}: ${share}`)
  })

test('a set of answers is left blank as often as participants left it blank', () => {
  const given = likelihoodsOf(
    { answers: answers('A', 'B', 'C'), max_choices: null, is_required: false },
    [
      ['A', 20],
      ['B', 15],
      ['C', 10],
    ],
    { nb_seen: 40, nb_answered: 30 },
  )?.get('q')
  const weights = given?.replies ?? []
  const all = weights.reduce((product, weight) => product * (1 + weight), 1) - 1
  assert.ok(given && Math.abs(given.blank / (given.blank + all) - 10 / 40) < 1e-6)
})
