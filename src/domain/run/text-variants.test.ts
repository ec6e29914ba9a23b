import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import {
  answerOf,
  draftOf,
  questionOf,
  quizOf,
  resultOf,
  textVariantOf,
} from '#domain/testing/drafts.ts'
import { enumerableQuizzes, listRuns } from '#domain/testing/enumerable-quizzes.ts'
import { randomVariants } from '#domain/testing/random-variants.ts'
import { visitedQuestions } from './path.ts'
import { type FinishedRun, holds, shownTexts } from './text-variants.ts'

/** Page 1 asks `one`; its answer `skip` leads to page 3. Page 2 asks `several` and `scale`, page 3 a text. */
const snapshot = takeSnapshot(
  draftOf({
    results: [resultOf('low'), resultOf('high')],
    questions: [
      questionOf('one', { answers: [answerOf('stay'), answerOf('skip', { jump_to: 3 })] }),
      questionOf('several', {
        global_position: 1,
        page_number: 2,
        max_choices: null,
        has_other: true,
        is_required: false,
        answers: [answerOf('red'), answerOf('blue')],
      }),
      questionOf('scale', { global_position: 2, page_number: 2, type: 'scale', scale_max: 7 }),
      questionOf('words', { global_position: 3, page_number: 3, type: 'text' }),
    ],
  }),
)

const runOf = (replies: Replies, more: Partial<FinishedRun> = {}): FinishedRun => ({
  replies,
  result_id: 'low',
  score: null,
  dimension_scores: [],
  ...more,
})
const chosen = (answer_id: string, question_id = 'several'): Condition => ({
  kind: 'answer_chosen',
  question_id,
  answer_id,
})
const notChosen = (answer_id: string, question_id = 'several'): Condition => ({
  kind: 'answer_not_chosen',
  question_id,
  answer_id,
})
const atLeast = (number: number, question_id = 'scale'): Condition => ({
  kind: 'scale_at_least',
  question_id,
  number,
})
const atMost = (number: number): Condition => ({
  kind: 'scale_at_most',
  question_id: 'scale',
  number,
})
const between = (from: number | null, to: number | null): Condition => ({
  kind: 'total_between',
  from,
  to,
})

describe('a condition', () => {
  const skipped: Replies = { one: 'skip', several: ['red'], scale: '6' }
  const both: Replies = { one: 'stay', several: ['red', 'blue'] }
  const tier: Condition = { kind: 'dimension_tier', dimension_id: 'd', tier_id: 't' }
  const inTier = { dimension_scores: [{ dimension_id: 'd', percent: 40, tier_id: 't' }] }
  const betweenTiers = { dimension_scores: [{ dimension_id: 'd', percent: 40, tier_id: null }] }
  const shown = (...percents: number[]): Partial<FinishedRun> => ({
    dimension_scores: percents.map((percent, rank) => ({
      dimension_id: `d${rank}`,
      percent,
      tier_id: null,
    })),
  })
  const equal: Condition = { kind: 'dimensions_equal' }
  const cases: [string, Condition, FinishedRun, boolean][] = [
    ['holds for the chosen answer', chosen('stay', 'one'), runOf({ one: 'stay' }), true],
    ['does not hold for another answer', chosen('skip', 'one'), runOf({ one: 'stay' }), false],
    ['holds for each of several answers', chosen('blue'), runOf(both), true],
    ['does not hold for a typed answer', chosen('red'), runOf({ several: 'other:red' }), false],
    ['does not hold for a skipped answer', chosen('red'), runOf(skipped), false],
    ['on an answer not chosen holds', notChosen('red'), runOf({ several: 'blue' }), true],
    [
      'on an answer not chosen holds if « Autre » is',
      notChosen('red'),
      runOf({ several: 'other:' }),
      true,
    ],
    ['on an answer not chosen holds for a blank question', notChosen('red'), runOf({}), true],
    ['on an answer not chosen does not hold if it is', notChosen('red'), runOf(both), false],
    ['on an answer not chosen is false if skipped', notChosen('blue'), runOf(skipped), false],
    ['on an unknown answer does not hold', notChosen('gone'), runOf({}), false],
    ['on an unknown question does not hold', notChosen('red', 'gone'), runOf({}), false],
    ['at least n holds for n', atLeast(6), runOf({ scale: '6' }), true],
    ['at least n does not hold below n', atLeast(6), runOf({ scale: '5' }), false],
    ['at most n holds for n', atMost(6), runOf({ scale: '6' }), true],
    ['at most n does not hold above n', atMost(6), runOf({ scale: '7' }), false],
    ['at most n does not hold for a blank scale', atMost(6), runOf({}), false],
    ['at least n does not hold if skipped', atLeast(1), runOf(skipped), false],
    ['at least n does not hold for a text', atLeast(1, 'words'), runOf({ words: '3' }), false],
    ['on the total includes its first bound', between(3, 5), runOf({}, { score: 3 }), true],
    ['on the total includes its last bound', between(3, 5), runOf({}, { score: 5 }), true],
    ['on the total excludes a lower total', between(3, 5), runOf({}, { score: 2 }), false],
    ['on the total excludes a higher total', between(3, 5), runOf({}, { score: 6 }), false],
    ['on the total may have no lower bound', between(null, 5), runOf({}, { score: -9 }), true],
    ['on the total may have no upper bound', between(0, null), runOf({}, { score: 99 }), true],
    ['on the total does not hold without a score', between(null, null), runOf({}), false],
    ['on a tier holds in the tier', tier, runOf({}, inTier), true],
    ['on a tier does not hold outside', tier, runOf({}, betweenTiers), false],
    ['on a tier does not hold for a hidden dimension', tier, runOf({}), false],
    ['on equal dimensions holds if all have one percentage', equal, runOf({}, shown(50, 50)), true],
    ['on equal dimensions does not hold if one differs', equal, runOf({}, shown(50, 49)), false],
    ['on equal dimensions holds for one alone', equal, runOf({}, shown(50)), true],
    ['on equal dimensions does not hold without any', equal, runOf({}, shown()), false],
    ['on the result holds', { kind: 'result', result_id: 'low' }, runOf({}), true],
    ['on another result does not', { kind: 'result', result_id: 'high' }, runOf({}), false],
  ]
  for (const [name, condition, run, isTrue] of cases)
    test(`a condition ${name}`, () => assert.equal(holds(condition, snapshot, run), isTrue))
})

describe('the shown texts', () => {
  const yes = chosen('stay', 'one')
  const no = chosen('skip', 'one')
  const stay = { one: 'stay' }
  const shown = (
    variants: Partial<TextVariant>[],
    surface: 'page' | 'mail' = 'page',
    { type = 'quiz' as 'quiz' | 'sondage', run = runOf(stay) } = {},
  ): string[] =>
    shownTexts(
      {
        questions: snapshot.questions,
        quiz: quizOf({ type }),
        text_variants: variants.map((more, index) => textVariantOf(`v${index}`, more)),
      },
      surface,
      run,
    ).map(({ id }) => id)

  test('« et » needs all conditions, and « ou » needs one', () => {
    const sets: [Condition[], boolean, boolean][] = [
      [[yes], true, true],
      [[no], false, false],
      [[yes, no], false, true],
      [[yes, yes, no], false, true],
      [[no, no], false, false],
      [[yes, yes, yes], true, true],
    ]
    for (const [conditions, isAll, isAny] of sets) {
      assert.deepEqual(shown([{ conditions, joined_by: 'and' }]), isAll ? ['v0'] : [])
      assert.deepEqual(shown([{ conditions, joined_by: 'or' }]), isAny ? ['v0'] : [])
    }
  })

  test('a text without conditions is never shown', () => {
    assert.deepEqual(shown([{ joined_by: 'and' }, { joined_by: 'or' }]), [])
  })

  const everywhere: Partial<TextVariant>[] = [
    { place: 'every_result', conditions: [yes] },
    { place: 'mail', conditions: [yes] },
    { place: 'result', result_id: 'low', conditions: [yes] },
    { place: 'result', result_id: 'high', conditions: [yes] },
    { place: 'end', conditions: [yes] },
    { place: 'every_result', conditions: [yes] },
  ]
  test('a result page shows its own texts and those of every result, in their order', () => {
    assert.deepEqual(shown(everywhere), ['v0', 'v2', 'v5'])
    const run = runOf(stay, { result_id: 'high' })
    assert.deepEqual(shown(everywhere, 'page', { run }), ['v0', 'v3', 'v5'])
  })
  test('a run without a result shows no text of a result', () =>
    assert.deepEqual(shown(everywhere, 'page', { run: runOf(stay, { result_id: null }) }), []))
  test('the end of a sondage shows only the texts of the end', () => {
    const run = runOf(stay, { result_id: null })
    assert.deepEqual(shown(everywhere, 'page', { type: 'sondage', run }), ['v4'])
  })
  test('a mail shows only the texts of the mail, in a quiz and in a sondage', () => {
    assert.deepEqual(shown(everywhere, 'mail'), ['v1'])
    assert.deepEqual(shown(everywhere, 'mail', { type: 'sondage' }), ['v1'])
  })

  test('replies to skipped questions change nothing', () =>
    fc.assert(
      fc.property(enumerableQuizzes, randomVariants, fc.nat(), (quiz, variants, pick) => {
        const runs = listRuns(quiz) ?? []
        const replies: Replies = runs[pick % runs.length]?.replies ?? {}
        const visited = visitedQuestions(quiz.questions, replies).map(({ id }) => id)
        const onPath: Replies = Object.fromEntries(
          Object.entries(replies).filter(([id]) => visited.includes(id)),
        )
        const asked = { ...quiz, text_variants: variants }
        assert.deepEqual(
          shownTexts(asked, 'page', runOf(onPath, { result_id: 'r0', score: 3 })),
          shownTexts(asked, 'page', runOf(replies, { result_id: 'r0', score: 3 })),
        )
      }),
    ))
})
