import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DIMENSION_RULE } from '#domain/questionnaire/dimensions.ts'
import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import type { SnapshotTextVariant } from '#domain/questionnaire/text-variants.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { replyPartsOf } from '#domain/run/replies.ts'
import { computeResult, PUBLIC_RULES, type ScoredQuiz } from '#domain/run/scoring.ts'
import { finishedRunOf, shownTexts } from '#domain/run/text-variants.ts'
import { enumerableQuizzes, listRuns } from '#domain/testing/enumerable-quizzes.ts'
import { percentByHand, pointsByHand } from '#domain/testing/percent-by-hand.ts'
import { randomVariants } from '#domain/testing/random-variants.ts'
import { computeTextOdds } from './text-odds.ts'

const LIMITS = {
  max_states: 200_000,
  max_operations: 4_000_000,
  max_listed_choices: 2_000,
  nb_simulated_runs: 20_000,
}
const NB_QUIZZES = 500

/** Adds dimensions for the questions by turns, each with two tiers. */
const withTexts = (
  quiz: ScoredQuiz,
  text_variants: SnapshotTextVariant[],
  type: 'quiz' | 'sondage',
): Snapshot => ({
  ...quiz,
  text_blocks: [],
  text_variants,
  quiz: { ...quiz.quiz, type },
  questions: quiz.questions.map((question, rank) => ({
    ...question,
    dimension_id: `d${rank % 2}`,
  })),
  ...(type === 'quiz' &&
    quiz.quiz_mode === 'score' && {
      dimension_rule: DIMENSION_RULE,
      dimensions: ['d0', 'd1'].map((id) => ({
        id,
        name: id,
        description: null,
        tiers: [
          { id: 'low', from_percent: 0, to_percent: 49, title: 'Bas', text: null },
          { id: 'high', from_percent: 50, to_percent: 100, title: 'Haut', text: null },
        ],
      })),
    }),
})

/** Decides a condition for a run without the rules under test. */
const isTrue = (
  condition: Condition,
  snapshot: Snapshot,
  replies: Parameters<typeof visitedQuestions>[1],
  result_id: string | null,
): boolean => {
  const visited = visitedQuestions(snapshot.questions, replies)
  const partsOf = (id: string): string[] | undefined => {
    const question = visited.find((asked) => asked.id === id)
    return question && replyPartsOf(replies, question)
  }
  const isScore = snapshot.quiz.type === 'quiz' && snapshot.quiz_mode === 'score'
  if (condition.kind === 'result') return result_id === condition.result_id
  if (condition.kind === 'total_between') {
    const total = visited.reduce(
      (sum, asked) => sum + pointsByHand(asked, partsOf(asked.id) ?? []),
      0,
    )
    return (
      isScore &&
      (condition.from === null || total >= condition.from) &&
      (condition.to === null || total <= condition.to)
    )
  }
  if (condition.kind === 'dimension_tier') {
    if (!isScore) return false
    const percent = percentByHand(visited, replies, condition.dimension_id)
    if (percent === null) return false
    return (percent >= 50 ? 'high' : 'low') === condition.tier_id
  }
  if (condition.kind === 'dimensions_equal') {
    if (!isScore) return false
    const ids = snapshot.dimensions?.map(({ id }) => id) ?? []
    const percents = ids.map((id) => percentByHand(visited, replies, id))
    const shown = percents.filter((percent) => percent !== null)
    return shown.length > 0 && shown.every((percent) => percent === shown[0])
  }
  const parts = partsOf(condition.question_id)
  const question = visited.find(({ id }) => id === condition.question_id)
  if (!parts || !question) return false
  if ('answer_id' in condition) {
    if (!question.answers.some(({ id }) => id === condition.answer_id)) return false
    return parts.includes(condition.answer_id) === (condition.kind === 'answer_chosen')
  }
  if (question.type !== 'scale' || parts.length === 0) return false
  const number = Number(parts[0])
  return condition.kind === 'scale_at_least'
    ? number >= condition.number
    : number <= condition.number
}

/** Returns true if the run shows a text, without the rules under test. */
const isShown = (
  { place, result_id, joined_by, conditions }: SnapshotTextVariant,
  snapshot: Snapshot,
  replies: Parameters<typeof visitedQuestions>[1],
  result: string | null,
): boolean => {
  const truths = conditions.map((condition) => isTrue(condition, snapshot, replies, result))
  const isMet =
    joined_by === 'or' ? truths.includes(true) : truths.length > 0 && !truths.includes(false)
  if (place === 'mail') return isMet
  if (snapshot.quiz.type === 'sondage') return place === 'end' && isMet
  return isMet && result !== null && (place === 'every_result' || result_id === result)
}

test('shown texts and their probabilities equal a count run by run in random quizzes', () => {
  let nb_shown = 0
  fc.assert(
    fc.property(
      enumerableQuizzes,
      randomVariants,
      fc.constantFrom('quiz' as const, 'quiz' as const, 'sondage' as const),
      (quiz, variants, type) => {
        const placed = variants.map((variant) =>
          type === 'sondage' && variant.place !== 'mail'
            ? { ...variant, place: 'end' as const }
            : variant,
        )
        const snapshot = withTexts(quiz, placed, type)
        const runs = listRuns(snapshot)
        if (!runs) return
        const shares = new Map(placed.map(({ id }) => [id, 0]))
        for (const { replies, share } of runs) {
          const result = computeResult(snapshot, replies, PUBLIC_RULES)
          const end = finishedRunOf(snapshot, replies, result)
          const expected = placed.filter((candidate) =>
            isShown(candidate, snapshot, replies, result?.id ?? null),
          )
          const shown = (['page', 'mail'] as const).flatMap((surface) =>
            shownTexts(snapshot, surface, end),
          )
          assert.deepEqual(new Set(shown), new Set(expected))
          for (const { id } of expected) shares.set(id, (shares.get(id) ?? 0) + share)
        }
        for (const { id, probability, is_exact, why_never } of computeTextOdds(snapshot)) {
          const expected = shares.get(id) ?? 0
          assert.equal(is_exact, true)
          assert.ok(Math.abs(probability - expected) < 1e-12, `${id}: ${probability}, ${expected}`)
          assert.equal(why_never !== null, expected === 0)
          if (probability > 0) nb_shown++
        }
      },
    ),
    { numRuns: NB_QUIZZES },
  )
  assert.ok(nb_shown > NB_QUIZZES / 10)
})

test('an estimate beyond the limits is close to the exact probability', () => {
  let nb_estimates = 0
  fc.assert(
    fc.property(enumerableQuizzes, randomVariants, (quiz, variants) => {
      const snapshot = withTexts(quiz, variants, 'quiz')
      const exact = computeTextOdds(snapshot)
      const estimates = computeTextOdds(snapshot, {
        ...LIMITS,
        max_states: 0,
        nb_simulated_runs: 4_000,
      })
      for (const [rank, estimate] of estimates.entries()) {
        // Texts about dimensions alone are exact beyond these limits too.
        if (estimate.is_exact) assert.deepEqual(estimate, exact[rank])
        else {
          assert.equal(estimate.why_never, null)
          // Five standard deviations.
          assert.ok(Math.abs(estimate.probability - (exact[rank]?.probability ?? 0)) < 0.04)
          nb_estimates++
        }
      }
    }),
    { numRuns: 20 },
  )
  assert.ok(nb_estimates > 0)
})

const choice = (id: string, page_number: number, jump_to?: number) => ({
  id,
  text: id,
  type: 'multiple_choice' as const,
  position: page_number - 1,
  global_position: page_number - 1,
  page_number,
  answers: ['a', 'b'].map((letter, position) => ({
    id: `${id}${letter}`,
    text: letter,
    score: position,
    position,
    associations: [],
    ...(jump_to !== undefined && { jump_to }),
  })),
})

test('a text that no run shows has the reason', () => {
  const quiz: ScoredQuiz['quiz'] = {
    name: 'Q',
    type: 'quiz',
    status: 'Publié',
    bg_color: null,
    text_color: null,
    button_color: null,
    button_text_color: null,
    accent_color: null,
  }
  const snapshot: Snapshot = {
    quiz,
    quiz_mode: 'score',
    text_blocks: [],
    questions: [choice('q', 1, 3), choice('skipped', 2), choice('last', 3)],
    results: ['low', 'high'].map((id, priority_order) => ({
      id,
      name: id,
      description: null,
      priority_order,
      min_score: priority_order * 5,
      max_score: priority_order * 5 + 4,
    })),
  }
  const whyOf = (conditions: Condition[], more: Partial<SnapshotTextVariant> = {}) => {
    const variant: SnapshotTextVariant = {
      id: 'v',
      place: 'every_result',
      result_id: null,
      joined_by: 'and',
      conditions,
      text: 'x',
      button_text: null,
      button_url: null,
      ...more,
    }
    return computeTextOdds({ ...snapshot, text_variants: [variant] })[0]?.why_never
  }
  const chosen = (question_id: string, letter: string): Condition => ({
    kind: 'answer_chosen',
    question_id,
    answer_id: `${question_id}${letter}`,
  })
  const ofHigh = { place: 'result' as const, result_id: 'high' }
  assert.deepEqual(whyOf([chosen('q', 'a')], ofHigh), { kind: 'result' })
  assert.deepEqual(whyOf([chosen('q', 'a'), chosen('skipped', 'a')]), {
    kind: 'conditions',
    indexes: [1],
  })
  assert.deepEqual(whyOf([{ kind: 'total_between', from: 3, to: null }]), {
    kind: 'conditions',
    indexes: [0],
  })
  assert.deepEqual(whyOf([chosen('q', 'a'), chosen('q', 'b')]), { kind: 'together' })
  assert.equal(whyOf([chosen('q', 'a'), chosen('q', 'b')], { joined_by: 'or' }), null)
})
