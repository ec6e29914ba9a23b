import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Draft, Replies } from '#domain/questionnaire/quiz.ts'
import { type Snapshot, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { maxChoicesOf, replyPartsOf } from '#domain/run/replies.ts'
import { packDimensions } from '#domain/run/stored-dimensions.ts'
import { packReplies } from '#domain/run/stored-replies.ts'
import { answerOf, dimensionOf, draftOf, questionOf, tierOf } from '#domain/testing/drafts.ts'
import { enumerableDimensions, listRuns } from '#domain/testing/enumerable-quizzes.ts'
import { percentByHand } from '#domain/testing/percent-by-hand.ts'
import { createReplay, createReplayTally } from './replay.ts'
import type { DimensionReplay, TierState } from './replay-tiers.ts'

type Participant = { version: Snapshot; replies: Replies }

/** Returns the effects of `next` on the dimensions of participants, listed from the newest. */
const replayOn = (next: Snapshot, participants: readonly Participant[]): DimensionReplay[] => {
  const [tally, merged] = [createReplayTally(next), createReplayTally(next)]
  for (const { version, replies } of participants) {
    const outcome = createReplay(
      version,
      next,
    )({
      ...packReplies(version, replies),
      result_position: null,
      dimension_percents: packDimensions(version, replies),
    })
    tally.add(outcome)
    const piece = createReplayTally(next)
    piece.add(outcome)
    merged.merge(piece.parts())
  }
  assert.deepEqual(merged.read(), tally.read(), 'pieces add up to the tally of all')
  return tally.read().dimensions
}

const wordOf = (state: TierState): string => (state.kind === 'tier' ? state.title : state.kind)
const movesIn = ({ moves }: DimensionReplay): string[] =>
  moves.map(({ from, to, count }) => `${wordOf(from)} → ${wordOf(to)} ${count}`)

const HALVES = [tierOf('weak', 0, 49), tierOf('strong', 50, 100)]
const health = dimensionOf('health', { tiers: HALVES })
const draft = draftOf({
  quiz_mode: 'score',
  dimensions: [health],
  questions: [
    questionOf('way', {
      answers: [answerOf('on', { score: 0 }), answerOf('out', { score: 0, jump_to: 0 })],
    }),
    questionOf('sleep', {
      dimension_id: 'health',
      page_number: 2,
      position: 1,
      global_position: 1,
      answers: [0, 1, 2].map((score) => answerOf(`s${score}`, { score })),
    }),
  ],
})
const [way, sleep] = draft.questions
assert.ok(way && sleep)

const GIVEN: Replies[] = [
  { way: 'on', sleep: 's0' },
  { way: 'on', sleep: 's1' },
  { way: 'on', sleep: 's2' },
  { way: 'out' },
]

const CASES: { name: string; edit: Partial<Draft>; moves: string[] }[] = [
  { name: 'an untouched draft', edit: {}, moves: [] },
  {
    name: 'new names',
    edit: {
      dimensions: [
        {
          ...health,
          name: 'Forme',
          tiers: [tierOf('weak', 0, 49, { title: 'Bas' }), ...HALVES.slice(1)],
        },
      ],
    },
    moves: [],
  },
  {
    name: 'another bound',
    edit: {
      dimensions: [{ ...health, tiers: [tierOf('weak', 0, 50), tierOf('strong', 51, 100)] }],
    },
    moves: ['strong → weak 1'],
  },
  {
    name: 'a tier with a new id and an old title',
    edit: {
      dimensions: [
        { ...health, tiers: [tierOf('weak', 0, 49), tierOf('new', 50, 100, { title: 'strong' })] },
      ],
    },
    moves: ['strong → strong 2'],
  },
  {
    name: 'deleted tiers',
    edit: { dimensions: [{ ...health, tiers: [] }] },
    moves: ['strong → no_tier 2', 'weak → no_tier 1'],
  },
  {
    name: 'other points',
    edit: {
      questions: [
        way,
        { ...sleep, answers: [0, 1, 4].map((score, at) => answerOf(`s${at}`, { score })) },
      ],
    },
    moves: ['strong → weak 1'],
  },
  {
    name: 'a deleted answer',
    edit: { questions: [way, { ...sleep, answers: sleep.answers.slice(0, 2) }] },
    // The dimension of the participant who gave this answer has no answered question any more.
    moves: ['strong → hidden 1'],
  },
  {
    name: 'questions that leave the dimension',
    edit: { questions: [way, { ...sleep, dimension_id: null }] },
    moves: ['strong → hidden 2', 'weak → hidden 1'],
  },
  {
    name: 'a jump that is gone',
    edit: { questions: [{ ...way, answers: [answerOf('on'), answerOf('out')] }, sleep] },
    // The participant who jumped has not answered the question that the draft would ask.
    moves: [],
  },
]

describe('the replay of tiers', () => {
  const version = takeSnapshot(draft)
  const participants = GIVEN.map((replies) => ({ version, replies }))
  for (const { name, edit, moves } of CASES)
    test(`counts the changes from one tier to another: ${name}`, () => {
      const [effect, ...others] = replayOn(takeSnapshot({ ...draft, ...edit }), participants)
      assert.ok(effect && others.length === 0)
      assert.deepEqual(movesIn(effect), moves)
      const nb_changed = moves.reduce((sum, move) => sum + Number(move.split(' ').at(-1)), 0)
      const { nb_compared, nb_new, nb_deleted } = effect
      assert.deepEqual(
        { nb_changed: effect.nb_changed, nb_compared, nb_new, nb_deleted },
        { nb_changed, nb_compared: 4, nb_new: 0, nb_deleted: 0 },
      )
    })

  test('a new dimension has nothing before, and a deleted one has nothing after', () => {
    const next = takeSnapshot({
      ...draft,
      dimensions: [dimensionOf('rest', { tiers: HALVES })],
      questions: [way, { ...sleep, dimension_id: 'rest' }],
    })
    const none = { nb_compared: 0, nb_changed: 0, moves: [], nb_new: 0, nb_deleted: 0 }
    assert.deepEqual(replayOn(next, participants), [
      { id: 'rest', name: 'rest', ...none, nb_new: 3 },
      { id: 'health', name: 'health', ...none, nb_deleted: 3 },
    ])
    const hidden = participants.slice(3)
    assert.deepEqual(replayOn(next, hidden), [{ id: 'rest', name: 'rest', ...none }])
    assert.deepEqual(replayOn(takeSnapshot({ ...draft, quiz_mode: 'profils' }), participants), [
      { id: 'health', name: 'health', ...none, nb_deleted: 3 },
    ])
  })

  test('a deleted dimension and a deleted tier have their latest names', () => {
    const renamed = takeSnapshot({
      ...draft,
      dimensions: [
        { ...health, name: 'Forme', tiers: [tierOf('weak', 0, 49, { title: 'Basse' })] },
      ],
    })
    const both = [renamed, version].map((answered) => ({
      version: answered,
      replies: { way: 'on', sleep: 's0' },
    }))
    const gone = replayOn(takeSnapshot({ ...draft, dimensions: [] }), both)
    assert.deepEqual([gone[0]?.name, gone[0]?.nb_deleted], ['Forme', 2])
    const [effect] = replayOn(
      takeSnapshot({ ...draft, dimensions: [{ ...health, tiers: [] }] }),
      both,
    )
    assert.ok(effect)
    assert.deepEqual(movesIn(effect), ['Basse → no_tier 2'])
  })
})

/** Returns the replies that were stored and that `next` still accepts, found without the rules under test. */
const keepByHand = ({ version, replies }: Participant, next: Snapshot): Replies => {
  const visited = visitedQuestions(version.questions, replies)
  return Object.fromEntries(
    next.questions.flatMap((question) => {
      const asked = visited.find(({ id }) => id === question.id)
      if (asked?.type !== question.type) return []
      const parts = replyPartsOf(replies, asked).filter(
        (part) =>
          question.type !== 'multiple_choice' ||
          (part.startsWith('other:')
            ? question.has_other === true
            : question.answers.some(({ id }) => id === part)),
      )
      const most = question.type === 'multiple_choice' ? maxChoicesOf(question) : 1
      return [[question.id, parts.slice(0, most)]]
    }),
  )
}

/** Returns the tier of a participant in words; undefined if the snapshot lacks the dimension. */
const tierByHand = (snapshot: Snapshot, replies: Replies, id: string): string | undefined => {
  const dimension = snapshot.dimensions?.find((candidate) => candidate.id === id)
  if (!dimension) return undefined
  const percent = percentByHand(visitedQuestions(snapshot.questions, replies), replies, id)
  if (percent === null) return 'hidden'
  const of = dimension.tiers.filter(
    ({ from_percent, to_percent }) => percent >= from_percent && percent <= to_percent,
  )
  return of[0]?.id ?? 'no_tier'
}

const idOf = (state: TierState): string => (state.kind === 'tier' ? state.id : state.kind)

test('the replay of tiers equals a count one by one on 300 random drafts', () => {
  const seen = {
    nb_drafts: 0,
    nb_changed: 0,
    nb_new: 0,
    nb_deleted: 0,
    nb_hidden: 0,
    nb_no_tier: 0,
  }
  fc.assert(
    fc.property(
      fc.array(enumerableDimensions, { minLength: 1, maxLength: 2 }),
      enumerableDimensions,
      (taken, drafted) => {
        const next: Snapshot = { ...drafted, text_blocks: [] }
        const participants = taken.flatMap((quiz) => {
          const version: Snapshot = { ...quiz, text_blocks: [] }
          const runs = listRuns(quiz)?.filter(
            (_, at, { length }) => at % Math.ceil(length / 20) === 0,
          )
          return (runs ?? []).map(({ replies }) => ({ version, replies }))
        })
        fc.pre(participants.length > 0)
        seen.nb_drafts++
        const effects = new Map(replayOn(next, participants).map((effect) => [effect.id, effect]))
        const ids = new Set(
          [next, ...participants.map(({ version }) => version)].flatMap(({ dimensions = [] }) =>
            dimensions.map((dimension) => dimension.id),
          ),
        )
        for (const id of ids) {
          const expected = { nb_compared: 0, nb_changed: 0, nb_new: 0, nb_deleted: 0 }
          const moves = new Map<string, number>()
          for (const participant of participants) {
            const before = tierByHand(participant.version, participant.replies, id)
            const after = tierByHand(next, keepByHand(participant, next), id)
            if (before === undefined && after !== undefined && after !== 'hidden') expected.nb_new++
            if (after === undefined && before !== undefined && before !== 'hidden')
              expected.nb_deleted++
            if (before === undefined || after === undefined) continue
            expected.nb_compared++
            if (before === after) continue
            expected.nb_changed++
            const key = `${before} ${after}`
            moves.set(key, (moves.get(key) ?? 0) + 1)
            if (key.includes('hidden')) seen.nb_hidden++
            if (key.includes('no_tier')) seen.nb_no_tier++
          }
          const effect = effects.get(id)
          if (!effect) {
            assert.ok(!next.dimensions?.some((dimension) => dimension.id === id))
            assert.equal(expected.nb_deleted, 0)
            continue
          }
          const { nb_compared, nb_changed, nb_new, nb_deleted } = effect
          assert.deepEqual({ nb_compared, nb_changed, nb_new, nb_deleted }, expected)
          assert.deepEqual(
            new Map(
              effect.moves.map(({ from, to, count }) => [`${idOf(from)} ${idOf(to)}`, count]),
            ),
            moves,
          )
          seen.nb_changed += nb_changed
          seen.nb_new += nb_new
          seen.nb_deleted += nb_deleted
        }
      },
    ),
    { numRuns: 300, seed: 40 },
  )
  assert.equal(seen.nb_drafts, 300)
  assert.ok(Math.min(...Object.values(seen)) > 100, JSON.stringify(seen))
})
