import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import { inResultOrder, type Snapshot } from '#domain/questionnaire/snapshot.ts'
import type { SnapshotTextVariant } from '#domain/questionnaire/text-variants.ts'
import { tierAt } from '#domain/run/dimensions.ts'
import { createConditionCheck, isMet, isOnSurface } from '#domain/run/text-variants.ts'
import { computeDimensionOdds, type DimensionOdds } from './dimension-odds.ts'
import {
  EXACT,
  enumerateSums,
  type OddsLimits,
  type SumDistribution,
  simulateSums,
} from './distribute-runs.ts'
import { areIndependent, type JointState, joinDimensions } from './joint-dimensions.ts'
import { LIMITS } from './odds.ts'
import {
  createRunSums,
  layoutOf,
  percentAt,
  type ReplyCondition,
  type RunSums,
  SEEN,
  SEEN_AND_MATCHED,
  SUMS_PER_DIMENSION,
} from './run-sums.ts'
import { createScoringScheme, decodeOutcome } from './scoring-scheme.ts'

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

const TEXT_LIMITS: OddsLimits = { ...LIMITS, nb_simulated_runs: 20_000 }

/** Returns the probability of each conditional text of a snapshot, in their order, for equally likely replies. */
export const computeTextOdds = (
  snapshot: Snapshot,
  limits: OddsLimits = TEXT_LIMITS,
): TextOdds[] => {
  const { text_variants = [] } = snapshot
  const groups = Map.groupBy(text_variants, (variant) =>
    JSON.stringify(dependenciesOf([variant], snapshot)),
  )
  // The work is shared between the groups, so that many texts do not take many times as long.
  const max_operations = Math.max(
    limits.max_operations / 16,
    Math.min(limits.max_operations, (4 * limits.max_operations) / Math.max(1, groups.size)),
  )
  let dimension_odds: DimensionOdds[] | undefined
  const readDimensionOdds = (): DimensionOdds[] => {
    dimension_odds ??= computeDimensionOdds(snapshot)
    return dimension_odds
  }
  const found: TextOdds[] = []
  const beyond: SnapshotTextVariant[] = []
  for (const variants of groups.values()) {
    const exact =
      joinTexts(snapshot, variants, readDimensionOdds) ??
      tallyRuns(snapshot, variants, limits, (sums) =>
        enumerateSums(sums, { ...limits, max_operations }),
      )
    if (exact) found.push(...exact)
    else beyond.push(...variants)
  }
  const simulated =
    beyond.length > 0 &&
    tallyRuns(snapshot, beyond, limits, (sums) => simulateSums(sums, limits.nb_simulated_runs))
  const odds_by_id = new Map([...found, ...(simulated || [])].map((odds) => [odds.id, odds]))
  return text_variants.flatMap(({ id }) => odds_by_id.get(id) ?? [])
}

/** Facts about a finished run that decide whether the run shows a text. */
type TextDependencies = {
  /** True if the points of the results are needed. */
  points: boolean
  conditions: ReplyCondition[]
  dimension_ids: string[]
}

/** Returns the facts that decide whether a run shows these texts. */
const dependenciesOf = (
  variants: readonly SnapshotTextVariant[],
  { dimensions = [] }: Snapshot,
): TextDependencies => {
  const conditions = variants.flatMap((variant) => variant.conditions)
  const replies = conditions.filter((condition) => 'question_id' in condition)
  const hasKind = (...kinds: Condition['kind'][]): boolean =>
    conditions.some(({ kind }) => kinds.includes(kind))
  return {
    points: variants.some(({ place }) => place === 'result') || hasKind('result', 'total_between'),
    conditions: [...new Map(replies.map((condition) => [keyOf(condition), condition])).values()],
    dimension_ids: dimensions
      .map(({ id }) => id)
      .filter(
        (id) =>
          hasKind('dimensions_equal') ||
          conditions.some(
            (condition) => 'dimension_id' in condition && condition.dimension_id === id,
          ),
      ),
  }
}

const keyOf = (condition: Condition): string => JSON.stringify(condition)

/**
 * Returns the exact probabilities of texts that depend only on dimensions, from the odds of each dimension. Null for other
 * texts, if the dimensions depend on each other, or beyond the limits.
 */
const joinTexts = (
  snapshot: Snapshot,
  variants: readonly SnapshotTextVariant[],
  readDimensionOdds: () => readonly DimensionOdds[],
): TextOdds[] | null => {
  const { points, conditions: replies, dimension_ids } = dependenciesOf(variants, snapshot)
  if (points || replies.length > 0 || dimension_ids.length === 0) return null
  if (!areIndependent(snapshot.questions)) return null
  const conditions = variants.flatMap((variant) => variant.conditions)
  const states = joinDimensions(
    readDimensionOdds().filter(({ id }) => dimension_ids.includes(id)),
    {
      tiered: new Set(
        conditions.flatMap((condition) =>
          'dimension_id' in condition ? condition.dimension_id : [],
        ),
      ),
      needs_common: conditions.some(({ kind }) => kind === 'dimensions_equal'),
    },
  )
  if (!states) return null
  const tally = createTally(snapshot, variants)
  // Any result will do, because no text of the group depends on the result.
  const result_id = snapshot.results[0]?.id ?? null
  for (const state of states)
    tally.add(result_id, state.share, (condition) => holdsInState(condition, state))
  return tally.read({ precision: EXACT, total_weight: 1 })
}

const holdsInState = (condition: Condition, { tiers, common }: JointState): boolean =>
  condition.kind === 'dimension_tier'
    ? tiers.get(condition.dimension_id) === condition.tier_id
    : condition.kind === 'dimensions_equal' && typeof common === 'number'

/** Returns the probabilities of texts over all runs that `distribute` returns; null if it returns null. */
const tallyRuns = (
  snapshot: Snapshot,
  variants: readonly SnapshotTextVariant[],
  { max_listed_choices }: OddsLimits,
  distribute: (sums: RunSums) => SumDistribution | null,
): TextOdds[] | null => {
  const { points, conditions, dimension_ids } = dependenciesOf(variants, snapshot)
  const scheme = points ? createScoringScheme(snapshot) : null
  const components = { scheme, conditions, dimension_ids }
  const distribution = distribute(
    createRunSums(snapshot.questions, components, new Map(), max_listed_choices),
  )
  if (!distribution) return null
  const { at_conditions, at_dimensions } = layoutOf(components)
  const keys = conditions.map(keyOf)
  const indexes = new Map(
    variants
      .flatMap((variant) => variant.conditions)
      .map((condition) => [condition, at_conditions + keys.indexOf(keyOf(condition))]),
  )
  const tiersOf = new Map(snapshot.dimensions?.map(({ id, tiers }) => [id, tiers]))
  const results = inResultOrder(snapshot.results)
  const isQuiz = snapshot.quiz.type === 'quiz'
  const isScore = isQuiz && snapshot.quiz_mode === 'score'
  const tally = createTally(snapshot, variants)
  distribution.forEach((sums, weight) => {
    const index = scheme ? decodeOutcome(scheme.outcomeOf(sums)).index : 0
    const result_id = isQuiz ? (results[index]?.id ?? null) : null
    const dimension_scores = dimension_ids.flatMap((dimension_id, rank) => {
      const percent = percentAt(sums, at_dimensions + SUMS_PER_DIMENSION * rank)
      if (percent === null) return []
      const tier_id = tierAt(tiersOf.get(dimension_id) ?? [], percent)?.id ?? null
      return { dimension_id, percent, tier_id }
    })
    const run = { result_id, score: isScore ? (sums[0] ?? 0) : null, dimension_scores, replies: {} }
    const checkEnd = createConditionCheck({ questions: [] }, run)
    const check = (condition: Condition): boolean => {
      if (!('question_id' in condition)) return checkEnd(condition)
      const value = condition.kind === 'answer_not_chosen' ? SEEN : SEEN_AND_MATCHED
      return sums[indexes.get(condition) as number] === value
    }
    tally.add(result_id, weight, check)
  })
  return tally.read(distribution)
}

/** Creates a tally of the probabilities of texts. `add` adds runs for which the conditions hold that fulfil `check`. */
const createTally = (snapshot: Snapshot, variants: readonly SnapshotTextVariant[]) => {
  const tallies = variants.map((variant) => ({
    variant,
    weight: 0,
    can_place: false,
    can_hold: variant.conditions.map(() => false),
  }))
  return {
    add: (
      result_id: string | null,
      weight: number,
      check: (condition: Condition) => boolean,
    ): void => {
      for (const tally of tallies) {
        const { variant } = tally
        const surface = variant.place === 'mail' ? 'mail' : 'page'
        const isPlaced = isOnSurface(variant, snapshot, { surface, run: { result_id } })
        tally.can_place ||= isPlaced
        variant.conditions.forEach((condition, index) => {
          tally.can_hold[index] ||= isPlaced && check(condition)
        })
        if (isPlaced && isMet(variant, check)) tally.weight += weight
      }
    },
    read: ({
      precision: { is_exact },
      total_weight,
    }: Pick<SumDistribution, 'precision' | 'total_weight'>): TextOdds[] =>
      tallies.map(({ variant, weight, can_place, can_hold }) => ({
        ...{ id: variant.id, probability: weight / total_weight, is_exact },
        why_never: weight > 0 || !is_exact ? null : whyNever(can_place, can_hold),
      })),
  }
}

const whyNever = (can_place: boolean, can_hold: readonly boolean[]): NeverShown => {
  if (!can_place) return { kind: 'result' }
  const indexes = [...can_hold.keys()].filter((index) => !can_hold[index])
  return indexes.length > 0 ? { kind: 'conditions', indexes } : { kind: 'together' }
}
