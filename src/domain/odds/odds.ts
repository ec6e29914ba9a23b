/**
 * The folder `odds` computes the probability of each result of a quiz. Read this file first, then enumerate-runs.ts,
 * which computes exact probabilities. If a quiz is too large for that, simulation.ts estimates them from random runs.
 */
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import { inResultOrder, type SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import {
  addPoints,
  type Choice,
  effectiveLikelihoods,
  type Likelihoods,
} from '#domain/run/choice-weights.ts'
import { jumpTargetOf } from '#domain/run/path.ts'
import {
  type ChosenRanks,
  choicesOf,
  listedChoicesLimit,
  type RelevantQuestion,
  repliesOf,
} from '#domain/run/possible-choices.ts'
import type { ScoredQuiz } from '#domain/run/scoring.ts'
import {
  countCombinations,
  type EnumerationLimits,
  type EnumerationStep,
  enumerateRuns,
  findLikelyRun,
} from './enumerate-runs.ts'
import {
  countOutcomeCodes,
  createScoringScheme,
  decodeOutcome,
  type ScoringScheme,
} from './outcomes.ts'
import { createPacking, type Packing } from './packing.ts'
import { SEED } from './random.ts'
import { choicesInRun, simulateRuns } from './simulation.ts'
import { type ChosenAnswers, createStages } from './stages.ts'

/** Probability of one result. */
type ResultOdds = {
  id: string
  name: string
  /** Probability from 0 to 1; above 0 if and only if `example` is not null. */
  probability: number
  /** Probability that the result wins although other results are tied with it. */
  tie_probability: number
  /** Example of replies that give the result; null if no enumerated or simulated run gave it. */
  example: Replies | null
}

/** Probabilities of the results of a questionnaire. */
export type Odds = {
  /** False if the probabilities are estimates from random runs, because the quiz is too large to enumerate. */
  is_exact: boolean
  /** Half the width of the 95 % confidence interval of each probability; 0 if exact. */
  margin: number
  /** Number of simulated runs; 0 if exact. */
  nb_simulated_runs: number
  /** Number of different runs; null above the largest integer that a number can hold exactly. */
  nb_combinations: number | null
  /** Results by priority. Runs that match no result count for the first result, because visitors then see it. */
  results: ResultOdds[]
  /** Probability that several results stay tied after the tie question, or that several tiers contain the total. */
  tie_probability: number
  /** Probability that no tier contains the total, or that no chosen answer has an association. */
  no_match_probability: number
  /** Possible totals of a quiz by score with their probabilities, ascending; empty for other quizzes. */
  totals: { total: number; probability: number }[]
}

/** Likelihoods of replies by question id. Replies to a question that is not in the map are equally likely. */
export type LikelihoodsByQuestion = ReadonlyMap<string, Likelihoods>

/** Limits of the exact computation. A quiz that exceeds one of them is simulated with `nb_simulated_runs`. */
export type OddsLimits = EnumerationLimits & {
  /** Maximum number of different choices of one question. */
  max_listed_choices: number
  nb_simulated_runs: number
}
/** Default limits. An exact computation within them takes about as long as a simulation. */
const LIMITS: OddsLimits = {
  max_states: 200_000,
  max_operations: 4_000_000,
  max_listed_choices: 2_000,
  nb_simulated_runs: 200_000,
}
/** Standard deviations around the mean that contain 95 % of a normal distribution. */
const DEVIATIONS_OF_95_PERCENT = 1.96
/** Largest variance of a Bernoulli variable, reached at a probability of one half. */
const MAX_VARIANCE = 0.25

/** Returns half the width of the 95 % confidence interval of a probability that this many runs estimate. */
export const marginOfRuns = (nb_simulated_runs: number): number =>
  DEVIATIONS_OF_95_PERCENT * Math.sqrt(MAX_VARIANCE / nb_simulated_runs)

/** Common input of the exact computation and of the simulation. `questions` are only the relevant ones. */
type OddsInput = {
  quiz_content: ScoredQuiz
  scheme: ScoringScheme
  questions: RelevantQuestion[]
  packing: Packing
  limits: OddsLimits
}

/**
 * Computes the probability of each result over all possible runs. The odds are exact within the limits, otherwise
 * simulated. Returns null for a sondage, and for a quiz without results or mode.
 */
export const computeOdds = (
  quiz_content: ScoredQuiz,
  likelihoodsByQuestion: LikelihoodsByQuestion = new Map(),
  limits: OddsLimits = LIMITS,
): Odds | null => {
  const scheme = createScoringScheme(quiz_content)
  if (!scheme) return null
  const { points, pointsOfNumber, size } = scheme
  const zero_points: number[] = Array(size).fill(0)
  const questions = quiz_content.questions
    .filter((question) => isRelevant(question, quiz_content))
    .map((question): RelevantQuestion => {
      const likelihoods = effectiveLikelihoods(question, likelihoodsByQuestion.get(question.id))
      const weights = { likelihoods, points, pointsOfNumber, zero_points }
      const max = listedChoicesLimit(question, limits.max_listed_choices)
      return { question, weights, choices: choicesOf(question, weights, max) }
    })
  const packing = createPacking(questions.map(extremePointsOf), size)
  const task = { quiz_content, scheme, questions, packing, limits }
  return computeExactOdds(task) ?? computeSimulatedOdds(task)
}

/** Returns true if the reply to a question can change the result or the visited pages. */
const isRelevant = (question: SnapshotQuestion, { quiz_mode }: ScoredQuiz): boolean => {
  if (question.type === 'scale') return quiz_mode === 'score' && question.counts_in_score === true
  if (!isChoice(question)) return false
  return question.answers.some(
    (answer) =>
      jumpTargetOf(answer, question) !== undefined ||
      (quiz_mode === 'score' ? Boolean(answer.score) : answer.associations.length > 0),
  )
}

/** Returns choices that include the smallest and largest points of a question for each component. */
export const extremePointsOf = ({
  question,
  weights,
  choices,
}: RelevantQuestion): Pick<Choice, 'points'>[] => {
  if (choices) return choices
  // The sum of all negative (or all positive) points bounds the points of any allowed set of answers.
  const sumOf = (pick: (...values: number[]) => number): Pick<Choice, 'points'> => {
    const pointsByAnswer = question.answers.map(weights.points)
    return {
      points: weights.zero_points.map((_, component) =>
        pointsByAnswer.reduce((sum, points) => sum + pick(0, points[component] ?? 0), 0),
      ),
    }
  }
  const extremes = [sumOf(Math.min), sumOf(Math.max)]
  const { reply_points } = weights
  if (!reply_points) return extremes
  return [
    ...extremes,
    ...extremes.map(({ points }) => ({ points: addPoints(points, reply_points) })),
  ]
}

/** Probabilities by result (`shares`) and by total. */
type ResultShares = Pick<Odds, 'tie_probability' | 'no_match_probability'> & {
  shares: number[]
  tie_shares: number[]
  totals: Map<number, number>
}

/** Adds up the probabilities of the outcomes by result. */
const sumByResult = (
  { quiz_content: { results } }: OddsInput,
  outcomes: ReadonlyMap<number, number>,
  totals: Map<number, number>,
): ResultShares => {
  const shares = results.map(() => 0)
  const tie_shares = results.map(() => 0)
  let tie_probability = 0
  let no_match_probability = 0
  for (const [outcome, share] of outcomes) {
    const { index, is_tie, is_match } = decodeOutcome(outcome)
    shares[index] = (shares[index] ?? 0) + share
    if (is_tie) {
      tie_probability += share
      tie_shares[index] = (tie_shares[index] ?? 0) + share
    }
    if (!is_match) no_match_probability += share
  }
  return { shares, tie_shares, tie_probability, no_match_probability, totals }
}

const createOdds = (
  { quiz_content }: OddsInput,
  { shares, tie_shares, tie_probability, no_match_probability, totals }: ResultShares,
  more: Pick<Odds, 'is_exact' | 'margin' | 'nb_simulated_runs'> & {
    runs: ReadonlyMap<number, ChosenRanks>
  },
): Odds => ({
  is_exact: more.is_exact,
  margin: more.margin,
  nb_simulated_runs: more.nb_simulated_runs,
  nb_combinations: countCombinations(quiz_content.questions),
  results: inResultOrder(quiz_content.results).map(({ id, name }, index) => {
    const run = more.runs.get(index)
    const example = run ? repliesOf(quiz_content.questions, run) : null
    const [probability = 0, tie_probability = 0] = [shares[index], tie_shares[index]]
    return { id, name, probability, tie_probability, example }
  }),
  tie_probability,
  no_match_probability,
  totals: [...totals]
    .map(([total, probability]) => ({ total, probability }))
    .sort((a, b) => a.total - b.total),
})

const increase = (shares: Map<number, number>, key: number, share: number): void => {
  shares.set(key, (shares.get(key) ?? 0) + share)
}

/** Computes the exact odds; null beyond the limits. */
const computeExactOdds = (task: OddsInput): Odds | null => {
  const { quiz_content, questions, scheme, packing, limits } = task
  const steps: EnumerationStep[] = []
  for (const { question, choices } of questions) {
    if (!choices) return null
    const packed = choices.map((choice) => ({
      ...choice,
      packed_sums: packing.pack(choice.points),
    }))
    steps.push({ question, choices: packed })
  }
  const enumeration = enumerateRuns(steps, { first: packing.first, limits })
  if (!enumeration) return null
  const outcomes = new Map<number, number>()
  const totals = new Map<number, number>()
  const sums = new Float64Array(scheme.size)
  const likeliestEnds = new Map<number, { end: number[]; share: number }>()
  enumeration.ends.forEach((packed_sums, share) => {
    const outcome = scheme.outcomeOf(packing.unpack(packed_sums, sums))
    increase(outcomes, outcome, share)
    if (quiz_content.quiz_mode === 'score') increase(totals, sums[0] as number, share)
    const { index } = decodeOutcome(outcome)
    if (share > (likeliestEnds.get(index)?.share ?? 0))
      likeliestEnds.set(index, { end: [...packed_sums], share })
  })
  const runs = new Map<number, ChosenRanks>()
  for (const [index, { end }] of likeliestEnds)
    runs.set(index, findLikelyRun(steps, enumeration.states_by_step, end))
  return createOdds(task, sumByResult(task, outcomes, totals), {
    is_exact: true,
    margin: 0,
    nb_simulated_runs: 0,
    runs,
  })
}

const computeSimulatedOdds = (task: OddsInput): Odds => {
  const { quiz_content, questions, scheme, packing, limits } = task
  const { nb_simulated_runs } = limits
  const totals = new Map<number, number>()
  const isScore = quiz_content.quiz_mode === 'score'
  const simulation = { stages: createStages(questions, packing), first: packing.first, seed: SEED }
  const sums = new Float64Array(scheme.size)
  const runCounts = new Uint32Array(countOutcomeCodes(quiz_content.results.length))
  const firstRuns = new Int32Array(runCounts.length)
  simulateRuns(simulation, nb_simulated_runs, (packed_sums, run) => {
    const outcome = scheme.outcomeOf(packing.unpack(packed_sums, sums))
    if (runCounts[outcome] === 0) firstRuns[outcome] = run
    runCounts[outcome] = (runCounts[outcome] as number) + 1
    if (isScore) increase(totals, sums[0] as number, 1 / nb_simulated_runs)
  })
  const outcomes = new Map<number, number>()
  const runs = new Map<number, ChosenRanks>()
  for (const [outcome, nb] of runCounts.entries()) {
    if (nb === 0) continue
    outcomes.set(outcome, nb / nb_simulated_runs)
    const { index } = decodeOutcome(outcome)
    if (!runs.has(index))
      runs.set(index, mergeRanks(choicesInRun(simulation, firstRuns[outcome] as number)))
  }
  const counts = sumByResult(task, outcomes, totals)
  const margin = marginOfRuns(nb_simulated_runs)
  return createOdds(task, counts, { is_exact: false, margin, nb_simulated_runs, runs })
}

/** Returns the chosen ranks by question. A question that was drawn in several stages has one entry. */
const mergeRanks = (chosen: readonly ChosenAnswers[]): ChosenRanks => {
  const ranks = new Map<string, readonly number[]>()
  for (const { question_id, ranks: more } of chosen)
    ranks.set(question_id, [...(ranks.get(question_id) ?? []), ...more])
  return ranks
}
