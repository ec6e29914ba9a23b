import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Draft, Replies } from '#domain/questionnaire/quiz.ts'
import { type Snapshot, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { replyPartsOf } from '#domain/run/replies.ts'
import { computeResult, PUBLIC_RULES } from '#domain/run/scoring.ts'
import { packDimensions } from '#domain/run/stored-dimensions.ts'
import { packReplies, unpackReplies } from '#domain/run/stored-replies.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import { versionsWithReplies } from '#domain/testing/versions-with-replies.ts'
import { createReplay, createReplayTally } from './replay.ts'

/** Returns a participant as stored. */
const storedOf = (taken: Snapshot, replies: Replies) => {
  const result = computeResult(taken, replies, PUBLIC_RULES)
  const position = taken.results.findIndex(({ id }) => id === result?.id)
  return {
    ...packReplies(taken, replies),
    result_position: position < 0 ? null : position,
    dimension_percents: packDimensions(taken, replies),
  }
}

const draft = draftOf({
  quiz_mode: 'score',
  results: [
    resultOf('calm', { max_score: 4 }),
    resultOf('fast', { min_score: 5, max_score: 20, priority_order: 1 }),
  ],
  questions: [
    questionOf('pace', {
      answers: [answerOf('slow', { score: 1 }), answerOf('quick', { score: 5 })],
    }),
    questionOf('tools', {
      position: 1,
      global_position: 1,
      max_choices: null,
      has_other: true,
      answers: [answerOf('paper', { score: 0 }), answerOf('phone', { score: 1 })],
    }),
    questionOf('mood', { type: 'scale', scale_max: 10, position: 2, global_position: 2 }),
    questionOf('why', { type: 'text', is_required: false, position: 3, global_position: 3 }),
  ],
})
const [calm, fast] = draft.results
const [pace, tools, mood, why] = draft.questions
assert.ok(calm && fast && pace && tools && mood && why)
const GIVEN = { pace: 'quick', tools: ['paper', 'other:ardoise'], mood: '9', why: 'Parce que' }

const CASES: {
  name: string
  edit: Partial<Draft>
  given?: Replies
  after?: string | null
  nb_lost?: number
}[] = [
  { name: 'an untouched draft', edit: {} },
  {
    name: 'another score',
    edit: {
      questions: [{ ...pace, answers: [answerOf('slow'), answerOf('quick', { score: 2 })] }],
    },
    after: 'calm',
    nb_lost: 4,
  },
  { name: 'another tier', edit: { results: [{ ...calm, max_score: 9 }, fast] }, after: 'calm' },
  { name: 'a deleted result', edit: { results: [calm] }, after: 'calm' },
  {
    name: 'a deleted answer with its points',
    edit: { questions: [{ ...pace, answers: [answerOf('slow')] }, tools, mood, why] },
    after: 'calm',
    nb_lost: 1,
  },
  {
    name: 'a removed « Autre »',
    edit: { questions: [pace, { ...tools, has_other: false }, mood, why] },
    nb_lost: 1,
  },
  {
    name: 'a scale that ends before the reply',
    edit: { questions: [pace, tools, { ...mood, scale_max: 7 }, why] },
    nb_lost: 1,
  },
  {
    name: 'a lower number of answers than was chosen',
    edit: {
      questions: [
        { ...pace, answers: [answerOf('slow'), answerOf('quick', { score: 4 })] },
        { ...tools, max_choices: 1 },
        ...[mood, why],
      ],
    },
    given: { pace: 'quick', tools: ['paper', 'phone', 'other:ardoise'], mood: '' },
    after: 'calm',
    nb_lost: 2,
  },
  {
    name: 'a text reply to a deleted question',
    edit: { questions: [pace, tools, mood] },
    nb_lost: 1,
  },
  {
    name: 'a blank reply is not lost',
    edit: { questions: [pace, tools, mood] },
    given: { pace: 'quick', tools: 'phone', mood: '9' },
  },
  {
    name: 'a new question has no reply',
    edit: { questions: [...draft.questions, questionOf('new', { answers: [answerOf('yes')] })] },
  },
  { name: 'a sondage gives no result', edit: { quiz: quizOf({ type: 'sondage' }) }, after: null },
  {
    name: 'a page that the replies now skip does not count',
    edit: {
      questions: [
        questionOf('start', { answers: [answerOf('slow')] }),
        { ...tools, answers: [answerOf('paper', { jump_to: 3, score: 0 }), answerOf('phone')] },
        { ...pace, page_number: 2, global_position: 2, position: 2 },
        { ...mood, page_number: 3, global_position: 4 },
        { ...why, page_number: 3, global_position: 5 },
      ],
    },
    after: 'calm',
  },
]

describe('replayOn', () => {
  const taken = takeSnapshot(draft)
  for (const { name, edit, given = GIVEN, after = 'fast', nb_lost = 0 } of CASES)
    test(`the replay gives the new result and counts the lost replies: ${name}`, () => {
      const replay = createReplay(taken, takeSnapshot({ ...draft, ...edit }))
      const replayed = replay(storedOf(taken, given))
      assert.equal(replayed.before?.id, 'fast')
      assert.deepEqual([replayed.after?.id ?? null, replayed.nb_lost], [after, nb_lost])
    })

  test('a version replayed on itself gives the given results and loses no reply', () =>
    fc.assert(
      fc.property(versionsWithReplies(), ({ snapshot, replies }) => {
        const stored = storedOf(snapshot, replies)
        const { before, after, nb_lost } = createReplay(snapshot, snapshot)(stored)
        assert.deepEqual(after, before)
        assert.equal(nb_lost, 0)
      }),
    ))

  test('a replay with deleted rows gives the result of computeResult and counts the lost replies', () =>
    fc.assert(
      fc.property(
        versionsWithReplies(),
        fc.nat(4),
        fc.nat(4),
        ({ snapshot, replies }, position, other) => {
          const next: Snapshot = {
            ...snapshot,
            results: snapshot.results.toSpliced(position, 1),
            questions: snapshot.questions.toSpliced(other, 1).map((question) => ({
              ...question,
              answers: question.answers.toSpliced(position, 1),
            })),
          }
          const stored = storedOf(snapshot, replies)
          const { after, nb_lost } = createReplay(snapshot, next)(stored)
          const kept = unpackReplies(snapshot, stored)
          assert.equal(after?.id, computeResult(next, kept, PUBLIC_RULES)?.id)
          const answers = new Set(
            next.questions.flatMap((question) => question.answers.map(({ id }) => id)),
          )
          const left = new Set(next.questions.map(({ id }) => id))
          const lost = snapshot.questions.flatMap((question) =>
            replyPartsOf(kept, question).filter(
              (part) =>
                !left.has(question.id) ||
                (question.type === 'multiple_choice' &&
                  !part.startsWith('other:') &&
                  !answers.has(part)),
            ),
          )
          assert.equal(nb_lost, lost.length)
        },
      ),
    ))
})

describe('createReplayTally', () => {
  const named = (id: string, name = id) => ({ id, name })
  const next = takeSnapshot(draft)

  test('the tally adds up moves, the most frequent first, with the names of the draft or the latest names', () => {
    const tally = createReplayTally(next)
    const all = [
      { before: named('calm', 'Avant'), after: named('fast'), nb_lost: 0 },
      { before: named('gone', 'Dernier nom'), after: named('calm'), nb_lost: 2 },
      { before: named('gone', 'Premier nom'), after: named('calm'), nb_lost: 1 },
      { before: named('calm'), after: named('calm'), nb_lost: 0 },
      { before: null, after: null, nb_lost: 0 },
    ]
    const merged = createReplayTally(next)
    for (const part of [all.slice(0, 2), all.slice(2)]) {
      const piece = createReplayTally(next)
      for (const one of part) {
        tally.add({ ...one, tiers: [] })
        piece.add({ ...one, tiers: [] })
      }
      merged.merge(piece.parts())
    }
    assert.deepEqual(merged.read(), tally.read(), 'pieces add up to the tally of all')
    assert.deepEqual(tally.read(), {
      nb_replayed: 5,
      results: {
        nb_changed: 3,
        moves: [
          { from: named('gone', 'Dernier nom'), to: named('calm'), count: 2 },
          { from: named('calm'), to: named('fast'), count: 1 },
        ],
      },
      dimensions: [],
      nb_lost_replies: 3,
      nb_losing: 2,
    })
  })

  test('the tally of a sondage has no results', () => {
    const tally = createReplayTally({ ...next, quiz: { ...next.quiz, type: 'sondage' } })
    tally.add({ before: named('calm'), after: null, tiers: [], nb_lost: 0 })
    assert.equal(tally.read().results, null)
  })
})
