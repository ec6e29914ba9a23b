/**
 * Computes the probability that a run shows each conditional text, with the enumeration of odds.ts. Sums hold the points
 * of the results, and components for the questions and dimensions of the conditions.
 */

import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import {
  inResultOrder,
  type Snapshot,
  type SnapshotQuestion,
} from '#domain/questionnaire/snapshot.ts'
import type { SnapshotTextVariant } from '#domain/questionnaire/text-variants.ts'
import type { Choice } from '#domain/run/choice-weights.ts'
import { percentOf, tierAt } from '#domain/run/dimensions.ts'
import { isMet, isOnSurface } from '#domain/run/text-variants.ts'
import { computeDimensionOdds, type DimensionOdds } from './dimension-odds.ts'
import { SUMS_PER_DIMENSION } from './dimension-sums.ts'
import { type EnumerationLimits, type EnumerationStep, enumerateRuns } from './enumerate-runs.ts'
import {
  areIndependent,
  type CommonPercent,
  commonWith,
  type JointState,
  joinDimensions,
} from './joint-dimensions.ts'
import { createScoringScheme, decodeOutcome } from './outcomes.ts'
import { createPacking } from './packing.ts'
import {
  dependenciesOf,
  listTextChoices,
  SEEN,
  SEEN_AND_CHOSEN,
  type TextDependencies,
} from './text-choices.ts'
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
  const groups = Map.groupBy(text_variants, (variant) =>
    JSON.stringify(dependenciesOf(variant, snapshot)),
  )
  // The work is shared between the groups, so that many texts do not take many times as long.
  const max_operations = Math.max(
    limits.max_operations / 16,
    Math.min(limits.max_operations, (4 * limits.max_operations) / Math.max(1, groups.size)),
  )
  const found = new Map<string, TextOdds>()
  const beyond: SnapshotTextVariant[] = []
  let odds_by_id: ReadonlyMap<string, DimensionOdds> | undefined
  const oddsOf = (ids: readonly string[]): DimensionOdds[] => {
    odds_by_id ??= new Map(computeDimensionOdds(snapshot).map((odds) => [odds.id, odds]))
    return ids.flatMap((id) => odds_by_id?.get(id) ?? [])
  }
  for (const variants of groups.values()) {
    const exact =
      joinTexts(snapshot, variants, oddsOf) ??
      enumerateTexts(snapshot, variants, { ...limits, max_operations })
    if (exact) for (const odds of exact) found.set(odds.id, odds)
    else beyond.push(...variants)
  }
  if (beyond.length > 0)
    for (const [id, probability] of simulateTexts(snapshot, beyond, limits.nb_simulated_runs))
      found.set(id, { id, probability, is_exact: false, why_never: null })
  return text_variants.flatMap(({ id }) => found.get(id) ?? [])
}

/** Runs with equal facts, and their probability. */
type Ends = { result_id: string | null; share: number; check: (condition: Condition) => boolean }

/** Creates a tally of the probabilities of texts, to which runs with equal facts are added. */
const createTally = (snapshot: Snapshot, variants: readonly SnapshotTextVariant[]) => {
  const tallies = variants.map((variant) => ({
    variant,
    probability: 0,
    can_place: false,
    can_hold: variant.conditions.map(() => false),
  }))
  return {
    add: ({ result_id, share, check }: Ends): void => {
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
    },
    read: (): TextOdds[] =>
      tallies.map(({ variant, probability, can_place, can_hold }) => ({
        id: variant.id,
        probability,
        is_exact: true,
        why_never: probability > 0 ? null : whyNever(can_place, can_hold),
      })),
  }
}

/**
 * Returns the exact probabilities of texts that depend only on dimensions, from the odds of each dimension. Null for other
 * texts, if the dimensions depend on each other, or beyond the limits.
 */
const joinTexts = (
  snapshot: Snapshot,
  variants: readonly SnapshotTextVariant[],
  oddsOf: (ids: readonly string[]) => DimensionOdds[],
): TextOdds[] | null => {
  const [first] = variants
  if (!first || !areIndependent(snapshot.questions)) return null
  const { points, replies, dimensions } = dependenciesOf(first, snapshot)
  if (points || replies.length > 0 || dimensions.length === 0) return null
  const conditions = variants.flatMap((variant) => variant.conditions)
  const states = joinDimensions(oddsOf(dimensions), {
    tiered: new Set(
      conditions.flatMap((condition) =>
        'dimension_id' in condition ? condition.dimension_id : [],
      ),
    ),
    needs_common: conditions.some(({ kind }) => kind === 'dimensions_equal'),
  })
  if (!states) return null
  const tally = createTally(snapshot, variants)
  // Any result will do, because no text of the group depends on the result.
  const result_id = snapshot.results[0]?.id ?? null
  for (const state of states)
    tally.add({
      result_id,
      share: state.share,
      check: (condition) => holdsInState(condition, state),
    })
  return tally.read()
}

const holdsInState = (condition: Condition, { tiers, common }: JointState): boolean =>
  condition.kind === 'dimension_tier'
    ? tiers.get(condition.dimension_id) === condition.tier_id
    : condition.kind === 'dimensions_equal' && typeof common === 'number'

/** Returns the exact probabilities of texts with equal needs; null beyond the limits. */
const enumerateTexts = (
  snapshot: Snapshot,
  variants: readonly SnapshotTextVariant[],
  limits: TextOddsLimits,
): TextOdds[] | null => {
  const [first] = variants
  if (!first) return []
  const dependencies = dependenciesOf(first, snapshot)
  const scheme = dependencies.points ? createScoringScheme(snapshot) : null
  const nb_points = scheme?.size ?? 0
  const size =
    nb_points + dependencies.replies.length + SUMS_PER_DIMENSION * dependencies.dimensions.length
  const components = { ...dependencies, scheme, nb_points, size }
  const questions = snapshot.questions.flatMap((question) => {
    const choices = listTextChoices(question, components, limits.max_listed_choices)
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
  const run = { sums: new Float64Array(size), result_id: null as string | null }
  const checks = new Map(
    variants.flatMap(({ conditions }) =>
      conditions.map(
        (condition) =>
          [condition, createCheck(condition, snapshot, { dependencies, nb_points, run })] as const,
      ),
    ),
  )
  const check = (condition: Condition): boolean => checks.get(condition)?.() ?? false
  const tally = createTally(snapshot, variants)
  enumeration.ends.forEach((packed_sums, share) => {
    packing.unpack(packed_sums, run.sums)
    const index = scheme ? decodeOutcome(scheme.outcomeOf(run.sums)).index : 0
    run.result_id = isSondage ? null : (results[index]?.id ?? null)
    tally.add({ result_id: run.result_id, share, check })
  })
  return tally.read()
}

/** Returns a function that decides a condition for the sums and the result that `run` has at each call. */
const createCheck = (
  condition: Condition,
  { quiz, quiz_mode, dimensions: all = [] }: Snapshot,
  {
    dependencies: { replies, dimensions },
    nb_points,
    run,
  }: {
    dependencies: TextDependencies
    nb_points: number
    run: { sums: Float64Array; result_id: string | null }
  },
): (() => boolean) => {
  const { sums } = run
  const isScore = quiz.type === 'quiz' && quiz_mode === 'score'
  /** Returns the percentage of the dimension with this rank; null if the run does not show the dimension. */
  const percentAt = (rank: number): number | null => {
    const at = nb_points + replies.length + SUMS_PER_DIMENSION * rank
    const range = sums[at + 1] as number
    return range === 0 ? null : percentOf(sums[at] as number, 0, range)
  }
  switch (condition.kind) {
    case 'total_between':
      return () => {
        const [total = 0] = sums
        return isScore && (condition.from ?? total) <= total && total <= (condition.to ?? total)
      }
    case 'result':
      return () => run.result_id === condition.result_id
    case 'dimension_tier': {
      const rank = dimensions.indexOf(condition.dimension_id)
      const tiers = all.find(({ id }) => id === condition.dimension_id)?.tiers
      return () => {
        const percent = rank < 0 ? null : percentAt(rank)
        return percent !== null && tierAt(tiers ?? [], percent)?.id === condition.tier_id
      }
    }
    case 'dimensions_equal':
      return () =>
        typeof dimensions
          .map((_, rank) => percentAt(rank))
          .reduce<CommonPercent>(commonWith, null) === 'number'
    default: {
      const at = nb_points + replies.findIndex((reply) => isSame(reply, condition))
      const value = condition.kind === 'answer_not_chosen' ? SEEN : SEEN_AND_CHOSEN
      return () => sums[at] === value
    }
  }
}

const isSame = (a: Condition, b: Condition): boolean => JSON.stringify(a) === JSON.stringify(b)

const whyNever = (can_place: boolean, can_hold: readonly boolean[]): NeverShown => {
  if (!can_place) return { kind: 'result' }
  const indexes = [...can_hold.keys()].filter((index) => !can_hold[index])
  return indexes.length > 0 ? { kind: 'conditions', indexes } : { kind: 'together' }
}
