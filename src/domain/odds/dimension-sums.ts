/**
 * Sums of a run for dimensions. Each dimension has two components, over its answered questions: the points above the
 * lowest possible ones, and the range of the possible ones.
 */
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { effectiveLikelihoods, type ReplyWeights } from '#domain/run/choice-weights.ts'
import { countedQuestion } from '#domain/run/dimensions.ts'
import { jumpTargetOf } from '#domain/run/path.ts'
import {
  choicesOf,
  listedChoicesLimit,
  type RelevantQuestion,
} from '#domain/run/possible-choices.ts'
import { pointsRangeOf } from '#domain/run/reachable-totals.ts'
import { contractPages } from './contract-pages.ts'
import { enumerateRuns } from './enumerate-runs.ts'
import { extremePointsOf, type LikelihoodsByQuestion, type OddsLimits } from './odds.ts'
import { createPacking, type Packing } from './packing.ts'
import { SEED } from './random.ts'
import { simulateRuns } from './simulation.ts'
import { createStages } from './stages.ts'

/** Number of components of one dimension. */
export const SUMS_PER_DIMENSION = 2

/** Questions that change the sums or the path, and the number of components. */
export type DimensionSteps = { steps: RelevantQuestion[]; size: number }

/** Returns true if an answer of the question leads to another than the following page. */
export const hasJump = (question: SnapshotQuestion): boolean =>
  question.answers.some((answer) => jumpTargetOf(answer, question) !== undefined)

/**
 * Returns the points that a reply to the question adds to its dimension in addition to the points of its answers. A blank
 * reply does not add them, so that blank and skipped questions count in neither sum.
 */
export const replySumsOf = (question: SnapshotQuestion): [points: number, range: number] => {
  const { from, to } = pointsRangeOf(countedQuestion(question))
  return [-from, to - from]
}

/** Creates the steps of the sums of these dimensions, in their order. */
export const createDimensionSteps = (
  questions: readonly SnapshotQuestion[],
  dimension_ids: readonly string[],
  { likelihoods, limits }: { likelihoods: LikelihoodsByQuestion; limits: OddsLimits },
): DimensionSteps => {
  const size = SUMS_PER_DIMENSION * dimension_ids.length
  const zero_points: readonly number[] = Array(size).fill(0)
  const steps = questions.flatMap((dimension_question): RelevantQuestion[] => {
    const rank = dimension_ids.indexOf(dimension_question.dimension_id ?? '')
    const [least, range] = replySumsOf(dimension_question)
    const isCounted = rank >= 0 && range > 0
    if (!isCounted && !hasJump(dimension_question)) return []
    const question = {
      ...dimension_question,
      counts_in_score: isCounted && dimension_question.type === 'scale',
    }
    const placed = (...sums: number[]): readonly number[] =>
      isCounted
        ? zero_points.toSpliced(SUMS_PER_DIMENSION * rank, sums.length, ...sums)
        : zero_points
    const weights: ReplyWeights = {
      likelihoods: effectiveLikelihoods(question, likelihoods.get(question.id)),
      points: ({ score }) => placed(score ?? 0),
      pointsOfNumber: (number) => placed(number),
      zero_points,
      reply_points: placed(least, range),
    }
    const max = listedChoicesLimit(question, limits.max_listed_choices)
    return [{ question, weights, choices: choicesOf(question, weights, max) }]
  })
  return { steps, size }
}

/**
 * Passes the sums of all possible runs to `onEnd`, each with its probability. Returns false if the runs are too many, so
 * that the probabilities are those of random runs. The array of `onEnd` is overwritten by the next call.
 */
export const readEnds = (
  { steps, size }: DimensionSteps,
  limits: OddsLimits,
  onEnd: (sums: Float64Array, share: number) => void,
): boolean => {
  const packing = createPacking(steps.map(extremePointsOf), size)
  const sums = new Float64Array(size)
  const ends = enumerateEnds(steps, size, { packing, limits })
  if (ends) {
    ends.forEach((packed_sums, share) => {
      onEnd(packing.unpack(packed_sums, sums), share)
    })
    return true
  }
  const { nb_simulated_runs } = limits
  const simulation = { stages: createStages(steps, packing), first: packing.first, seed: SEED }
  simulateRuns(simulation, nb_simulated_runs, (packed_sums) =>
    onEnd(packing.unpack(packed_sums, sums), 1 / nb_simulated_runs),
  )
  return false
}

/** Returns the exact probabilities of the packed sums; null beyond the limits. */
const enumerateEnds = (
  steps: readonly RelevantQuestion[],
  size: number,
  { packing, limits }: { packing: Packing; limits: OddsLimits },
) => {
  const listed = steps.flatMap(({ question, choices }) => (choices ? [{ question, choices }] : []))
  if (listed.length < steps.length) return null
  const packed = contractPages(listed, Array(size).fill(0)).map(({ question, choices }) => ({
    question,
    choices: choices.map((choice) => ({ ...choice, packed_sums: packing.pack(choice.points) })),
  }))
  return enumerateRuns(packed, { first: packing.first, limits })?.ends ?? null
}
