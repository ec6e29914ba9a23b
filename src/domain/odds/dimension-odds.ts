import type { DimensionTier, SnapshotDimension } from '#domain/questionnaire/dimensions.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { percentOf, tierAt } from '#domain/run/dimensions.ts'
import { jumpTargetOf } from '#domain/run/path.ts'
import {
  choicesOf,
  effectiveLikelihoods,
  listedChoicesLimit,
  type RelevantQuestion,
  type ReplyWeights,
} from '#domain/run/possible-choices.ts'
import { pointsRangeOf } from '#domain/run/reachable-totals.ts'
import { contractPages } from './contract-pages.ts'
import { enumerateRuns } from './enumerate-runs.ts'
import {
  extremePointsOf,
  type LikelihoodsByQuestion,
  marginOfRuns,
  type OddsLimits,
  SEED,
} from './odds.ts'
import { createPacking, type Packing } from './packing.ts'
import { simulateRuns } from './simulation.ts'
import { createStages } from './stages.ts'

/** Probability of one tier. */
type TierOdds = Pick<DimensionTier, 'id' | 'title' | 'from_percent' | 'to_percent'> & {
  probability: number
}

/** Probabilities of the percentages and tiers of one dimension. */
export type DimensionOdds = {
  id: string
  name: string
  /** False if the probabilities are estimates from random runs, because the paths are too many to enumerate. */
  is_exact: boolean
  /** Half the width of the 95 % confidence interval of each probability; 0 if exact. */
  margin: number
  /** Possible percentages with their probabilities, ascending. Runs that hide the dimension are missing. */
  percents: { percent: number; probability: number }[]
  tiers: TierOdds[]
  /** Probability that no tier contains the percentage. */
  no_tier_probability: number
  /** Probability that the run does not show the dimension. */
  hidden_probability: number
}

type DimensionedQuiz = Pick<Snapshot, 'questions'> & {
  dimensions?: readonly SnapshotDimension[] | undefined
}

/**
 * Limits of the exact computation of one dimension. The limits are lower than those of results, because a quiz has up
 * to twelve dimensions.
 */
const DIMENSION_LIMITS: OddsLimits = {
  max_states: 50_000,
  max_operations: 1_000_000,
  max_listed_choices: 2_000,
  nb_simulated_runs: 20_000,
}

/**
 * Computes the probability of each percentage and tier of each dimension over all possible runs. A dimension is exact
 * within the limits, otherwise simulated.
 */
export const computeDimensionOdds = (
  { questions, dimensions = [] }: DimensionedQuiz,
  likelihoods: LikelihoodsByQuestion = new Map(),
  limits: OddsLimits = DIMENSION_LIMITS,
): DimensionOdds[] => {
  const settings = { likelihoods, limits }
  const pathSteps = new Map(
    questions.filter(hasJump).map((question) => [question.id, stepOf(question, false, settings)]),
  )
  return dimensions.map((dimension) => {
    const steps = questions.flatMap((question): RelevantQuestion[] => {
      const { from, to } = pointsRangeOf(question)
      if (question.dimension_id === dimension.id && from < to) {
        const step = stepOf(question, true, settings)
        return [rangeStepOf(step, [-from, to - from]), step]
      }
      const pathStep = pathSteps.get(question.id)
      return pathStep ? [pathStep] : []
    })
    const packing = createPacking(steps.map(extremePointsOf), NB_SUMS)
    const exact = enumerateSums(steps, packing, limits)
    const { nb_simulated_runs } = limits
    return {
      ...sumUp(dimension, exact ?? simulateSums(steps, packing, nb_simulated_runs)),
      is_exact: exact !== null,
      margin: exact ? 0 : marginOfRuns(nb_simulated_runs),
    }
  })
}

/** Sums of a run: its points above the lowest possible points, and the range of its possible points. */
const NB_SUMS = 2
const NO_SUMS = [0, 0]

/** Probabilities of the sums, by range and then by points above the lowest. */
type SharesOfSums = Map<number, Map<number, number>>

type StepSettings = { likelihoods: LikelihoodsByQuestion; limits: OddsLimits }

/** Returns the step of a question. Its choices have points only if the dimension counts the question (`isCounted`). */
const stepOf = (
  question: SnapshotQuestion,
  isCounted: boolean,
  { likelihoods, limits }: StepSettings,
): RelevantQuestion => {
  const weights: ReplyWeights = {
    likelihoods: effectiveLikelihoods(question, likelihoods.get(question.id)),
    points: ({ score }) => (isCounted ? [score ?? 0, 0] : NO_SUMS),
    pointsOfNumber: (number) => (isCounted ? [number, 0] : NO_SUMS),
    zero_points: NO_SUMS,
  }
  const most = listedChoicesLimit(question, limits.max_listed_choices)
  return { question, weights, choices: choicesOf(question, weights, most) }
}

const hasJump = (question: SnapshotQuestion): boolean =>
  question.answers.some((answer) => jumpTargetOf(answer, question) !== undefined)

/**
 * Returns a step to be placed before a question. The step adds the range of the question to every run that visits its
 * page, so that only visited questions count.
 */
const rangeStepOf = (
  { question, weights }: RelevantQuestion,
  points: number[],
): RelevantQuestion => ({
  question: { ...question, answers: [] },
  weights,
  choices: [{ share: 1, ranks: [], points, target_page: null }],
})

const addShare = (
  to: SharesOfSums,
  [points = 0, range = 0]: ArrayLike<number> & Iterable<number>,
  share: number,
): void => {
  const of = to.get(range) ?? new Map<number, number>()
  to.set(range, of.set(points, (of.get(points) ?? 0) + share))
}

/** Returns the exact probabilities; null beyond the limits. */
const enumerateSums = (
  steps: readonly RelevantQuestion[],
  packing: Packing,
  limits: OddsLimits,
): SharesOfSums | null => {
  const listed = steps.flatMap(({ question, choices }) => (choices ? [{ question, choices }] : []))
  if (listed.length < steps.length) return null
  const packed = contractPages(listed, NO_SUMS).map(({ question, choices }) => ({
    question,
    choices: choices.map((choice) => ({ ...choice, packed_sums: packing.pack(choice.points) })),
  }))
  const enumeration = enumerateRuns(packed, { first: packing.first, limits })
  if (!enumeration) return null
  const shares: SharesOfSums = new Map()
  const sums = new Float64Array(NB_SUMS)
  enumeration.ends.forEach((packed_sums, share) => {
    addShare(shares, packing.unpack(packed_sums, sums), share)
  })
  return shares
}

const simulateSums = (
  steps: readonly RelevantQuestion[],
  packing: Packing,
  nb_simulated_runs: number,
): SharesOfSums => {
  const shares: SharesOfSums = new Map()
  const sums = new Float64Array(NB_SUMS)
  const simulation = { stages: createStages(steps, packing), first: packing.first, seed: SEED }
  simulateRuns(simulation, nb_simulated_runs, (packed_sums) => {
    addShare(shares, packing.unpack(packed_sums, sums), 1 / nb_simulated_runs)
  })
  return shares
}

/** Adds up the probabilities by percentage and by tier. */
const sumUp = ({ id, name, tiers }: SnapshotDimension, shares: SharesOfSums) => {
  const byPercent = new Map<number, number>()
  let hidden_probability = 0
  for (const [range, byPoints] of shares)
    for (const [points, share] of byPoints) {
      if (range === 0) hidden_probability += share
      else {
        const percent = percentOf(points, 0, range)
        byPercent.set(percent, (byPercent.get(percent) ?? 0) + share)
      }
    }
  const percents = [...byPercent]
    .map(([percent, probability]) => ({ percent, probability }))
    .sort((a, b) => a.percent - b.percent)
  const probabilityOf = (tier_id: string | undefined): number =>
    percents.reduce(
      (sum, { percent, probability }) =>
        tierAt(tiers, percent)?.id === tier_id ? sum + probability : sum,
      0,
    )
  return {
    ...{ id, name, percents, hidden_probability },
    tiers: tiers.map(({ id, title, from_percent, to_percent }) => ({
      ...{ id, title, from_percent, to_percent },
      probability: probabilityOf(id),
    })),
    no_tier_probability: probabilityOf(undefined),
  }
}
