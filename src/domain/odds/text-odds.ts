/**
 * Computes the probability that a run shows each conditional text, with the enumeration of odds.ts. Sums hold the points
 * of the results, and components for the questions and dimensions of the conditions.
 */
import {
  inResultOrder,
  type Snapshot,
  type SnapshotQuestion,
} from '#domain/questionnaire/snapshot.ts'
import type { Condition, SnapshotTextVariant } from '#domain/questionnaire/text-variants.ts'
import { percentOf, tierAt } from '#domain/run/dimensions.ts'
import { jumpTargetOf } from '#domain/run/path.ts'
import { type Choice, choicesOf, effectiveLikelihoods } from '#domain/run/possible-choices.ts'
import { pointsRangeOf } from '#domain/run/reachable-totals.ts'
import { scaleOf } from '#domain/run/replies.ts'
import { isMet, isOnSurface } from '#domain/run/text-variants.ts'
import { type EnumerationLimits, type EnumerationStep, enumerateRuns } from './enumerate-runs.ts'
import { createScoringScheme, decodeOutcome } from './outcomes.ts'
import { createPacking } from './packing.ts'
import { simulateTexts } from './text-simulation.ts'

/** Reason why no run shows a text. */
export type NeverShown =
  /** No run gives the result of the text. */
  | { kind: 'result' }
  /** Each of these conditions, from 0, holds in no run. */
  | { kind: 'conditions'; indexes: number[] }
  /** Each condition holds in some run, but never all in one. */
  | { kind: 'together' }

/** Probability of one conditional text. */
export type TextOdds = {
  id: string
  /** Probability from 0 to 1 that a run shows the text. */
  probability: number
  /** False if the probability is an estimate, because the quiz is too large to enumerate. */
  is_exact: boolean
  /** Reason why no run shows the text; null if one does, or for an estimate. */
  why_never: NeverShown | null
}

/** Limits of the exact computation; texts beyond them are estimated from simulated runs. */
export type TextOddsLimits = EnumerationLimits & {
  max_listed_choices: number
  nb_simulated_runs: number
}
const LIMITS: TextOddsLimits = {
  max_states: 200_000,
  max_operations: 4_000_000,
  max_listed_choices: 2_000,
  nb_simulated_runs: 20_000,
}

/** Returns the probability of each conditional text of a snapshot, in their order, for equally likely replies. */
export const computeTextOdds = (
  snapshot: Snapshot,
  limits: TextOddsLimits = LIMITS,
): TextOdds[] => {
  const { text_variants = [] } = snapshot
  const groups = Map.groupBy(text_variants, (variant) => JSON.stringify(needsOf(variant, snapshot)))
  // The work is shared between the groups, so that many texts do not take many times as long.
  const max_operations = Math.max(
    limits.max_operations / 16,
    Math.min(limits.max_operations, (4 * limits.max_operations) / Math.max(1, groups.size)),
  )
  const found = new Map<string, TextOdds>()
  const beyond: SnapshotTextVariant[] = []
  for (const variants of groups.values()) {
    const exact = enumerateTexts(snapshot, variants, { ...limits, max_operations })
    if (exact) for (const odds of exact) found.set(odds.id, odds)
    else beyond.push(...variants)
  }
  if (beyond.length > 0)
    for (const [id, probability] of simulateTexts(snapshot, beyond, limits.nb_simulated_runs))
      found.set(id, { id, probability, is_exact: false, why_never: null })
  return text_variants.flatMap(({ id }) => found.get(id) ?? [])
}

/** Facts about a finished run that decide whether the run shows a text. */
type Needs = {
  /** True if the points of the results are needed. */
  points: boolean
  /** Conditions on questions. */
  replies: Condition[]
  /** Ids of dimensions. */
  dimensions: string[]
}

const needsOf = (
  { place, conditions }: SnapshotTextVariant,
  { dimensions = [] }: Snapshot,
): Needs => ({
  points:
    place === 'result' ||
    conditions.some(({ kind }) => kind === 'result' || kind === 'total_between'),
  replies: conditions.filter((condition) => 'question_id' in condition),
  dimensions: dimensions
    .map(({ id }) => id)
    .filter((id) => conditions.some((one) => 'dimension_id' in one && one.dimension_id === id)),
})

/** Value of a component for a condition on a question: 0 unless the run visits the question. */
const SEEN = 1
const SEEN_AND_CHOSEN = 2

/** Returns the exact probabilities of texts with equal needs; null beyond the limits. */
const enumerateTexts = (
  snapshot: Snapshot,
  variants: readonly SnapshotTextVariant[],
  limits: TextOddsLimits,
): TextOdds[] | null => {
  const [first] = variants
  if (!first) return []
  const { points, replies, dimensions } = needsOf(first, snapshot)
  const scheme = points ? createScoringScheme(snapshot) : null
  const nb_points = scheme?.size ?? 0
  const at_dimensions = nb_points + replies.length
  const size = at_dimensions + 3 * dimensions.length
  const questions = snapshot.questions.flatMap((question) => {
    const choices = listChoices(question, { scheme, nb_points, replies, dimensions, size }, limits)
    return choices === undefined ? [] : [{ question, choices }]
  })
  if (questions.some(({ choices }) => choices === null)) return null
  const listed = questions as { question: SnapshotQuestion; choices: Choice[] }[]
  const packing = createPacking(
    listed.map(({ choices }) => choices),
    size,
  )
  const steps = listed.map(
    ({ question, choices }): EnumerationStep => ({
      question,
      choices: choices.map((choice) => ({ ...choice, packed_sums: packing.pack(choice.points) })),
    }),
  )
  const enumeration = enumerateRuns(steps, { first: packing.first, limits })
  if (!enumeration) return null

  const results = inResultOrder(snapshot.results)
  const isSondage = snapshot.quiz.type === 'sondage'
  const isScore = !isSondage && snapshot.quiz_mode === 'score'
  const sums = new Float64Array(size)
  const tallies = variants.map((variant) => ({
    variant,
    probability: 0,
    can_place: false,
    can_hold: variant.conditions.map(() => false),
  }))
  let result_id: string | null = null
  const createCheck = (condition: Condition): (() => boolean) => {
    switch (condition.kind) {
      case 'total_between':
        return () => {
          const [total = 0] = sums
          return isScore && (condition.from ?? total) <= total && total <= (condition.to ?? total)
        }
      case 'result':
        return () => result_id === condition.result_id
      case 'dimension_tier': {
        const rank = dimensions.indexOf(condition.dimension_id)
        const at = at_dimensions + 3 * rank
        const tiers = snapshot.dimensions?.find(({ id }) => id === condition.dimension_id)?.tiers
        return () => {
          const [total = 0, least = 0, greatest = 0] = [sums[at], sums[at + 1], sums[at + 2]]
          if (rank < 0 || least === greatest) return false
          return tierAt(tiers ?? [], percentOf(total, least, greatest))?.id === condition.tier_id
        }
      }
      default: {
        const at = nb_points + replies.findIndex((one) => isSame(one, condition))
        const value = condition.kind === 'answer_not_chosen' ? SEEN : SEEN_AND_CHOSEN
        return () => sums[at] === value
      }
    }
  }
  const checks = new Map(
    variants.flatMap(({ conditions }) =>
      conditions.map((condition) => [condition, createCheck(condition)] as const),
    ),
  )
  const check = (condition: Condition): boolean => checks.get(condition)?.() ?? false
  enumeration.ends.forEach((packed_sums, share) => {
    packing.unpack(packed_sums, sums)
    const index = scheme ? decodeOutcome(scheme.outcomeOf(sums)).index : 0
    result_id = isSondage ? null : (results[index]?.id ?? null)
    for (const tally of tallies) {
      const { variant } = tally
      const surface = variant.place === 'mail' ? 'mail' : 'page'
      const isPlaced = isOnSurface(variant, snapshot, { surface, run: { result_id } })
      tally.can_place ||= isPlaced
      variant.conditions.forEach((condition, index) => {
        tally.can_hold[index] ||= isPlaced && check(condition)
      })
      if (isPlaced && isMet(variant, check)) tally.probability += share
    }
  })
  return tallies.map(({ variant, probability, can_place, can_hold }) => ({
    id: variant.id,
    probability,
    is_exact: true,
    why_never: probability > 0 ? null : whyNever(can_place, can_hold),
  }))
}

const isSame = (a: Condition, b: Condition): boolean => JSON.stringify(a) === JSON.stringify(b)

const whyNever = (can_place: boolean, can_hold: readonly boolean[]): NeverShown => {
  if (!can_place) return { kind: 'result' }
  const indexes = [...can_hold.keys()].filter((index) => !can_hold[index])
  return indexes.length > 0 ? { kind: 'conditions', indexes } : { kind: 'together' }
}

/** Components of the sums: points, then a component for each condition on a question, then three for each dimension. */
type Components = Omit<Needs, 'points'> & {
  scheme: ReturnType<typeof createScoringScheme>
  nb_points: number
  size: number
}

/**
 * Returns the choices of a question with the components of their effects. Undefined means that they change nothing, and
 * null that they are too many.
 */
const listChoices = (
  question: SnapshotQuestion,
  { scheme, nb_points, replies, dimensions, size }: Components,
  { max_listed_choices }: TextOddsLimits,
): Choice[] | null | undefined => {
  const at_dimension = dimensions.indexOf(question.dimension_id ?? '')
  const at_points = nb_points + replies.length + 3 * at_dimension
  const add = (base: readonly number[], score: number, isTrue: (one: Condition) => boolean) => {
    const sums: number[] = Array(size).fill(0)
    for (const [at, value] of base.entries()) sums[at] = value
    if (at_dimension >= 0) sums[at_points] = score
    for (const [rank, condition] of replies.entries())
      if (isTrue(condition)) sums[nb_points + rank] = SEEN_AND_CHOSEN - SEEN
    return sums
  }
  const isAsked = (one: Condition): boolean =>
    'question_id' in one && one.question_id === question.id
  const weights = {
    likelihoods: effectiveLikelihoods(question, undefined),
    zero_points: Array<number>(size).fill(0),
    points: (answer: SnapshotQuestion['answers'][number]) =>
      add(
        scheme?.points(answer) ?? [],
        answer.score ?? 0,
        (one) => isAsked(one) && 'answer_id' in one && one.answer_id === answer.id,
      ),
    pointsOfNumber: (number: number) =>
      add(
        question.counts_in_score ? (scheme?.pointsOfNumber(number) ?? []) : [],
        question.counts_in_score ? number : 0,
        (one) =>
          isAsked(one) &&
          (one.kind === 'scale_at_least'
            ? number >= one.number
            : one.kind === 'scale_at_most' && number <= one.number),
      ),
  }
  // `choicesOf` gives the points of a number only to scales that count.
  const choices = choicesOf(
    question.type === 'scale' ? { ...question, counts_in_score: true } : question,
    weights,
    max_listed_choices,
  )
  if (!choices) return null
  const range = at_dimension >= 0 ? pointsRangeOf(question) : { from: 0, to: 0 }
  const seen = replies.map((one) => {
    if (!isAsked(one) || !isOnQuestion(one, question)) return 0
    return SEEN
  })
  const changed = choices.map((choice): Choice => {
    const points = [...choice.points]
    for (const [rank, value] of seen.entries())
      points[nb_points + rank] = value === 0 ? 0 : (points[nb_points + rank] ?? 0) + value
    if (at_dimension >= 0) {
      points[at_points + 1] = range.from
      points[at_points + 2] = range.to
    }
    return { ...choice, points }
  })
  const hasEffect = changed.some(
    ({ points, target_page }) => target_page !== null || points.some((value) => value !== 0),
  )
  const isJumping = question.answers.some((answer) => jumpTargetOf(answer, question) !== undefined)
  return hasEffect || isJumping ? changed : undefined
}

/** Returns true if a condition fits the type of its question, and its answer is offered. */
const isOnQuestion = (condition: Condition, question: SnapshotQuestion): boolean => {
  if ('answer_id' in condition)
    return (
      question.type === 'multiple_choice' &&
      question.answers.some(({ id }) => id === condition.answer_id)
    )
  return question.type === 'scale' && scaleOf(question).to > 0
}
