/**
 * The folder `odds` computes the probability of each result of a quiz. Read this file first, then walk.ts, which enumerates
 * all runs. If the runs have too many states, simulation.ts draws random runs instead.
 */
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import { inResultOrder, type SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { jumpTargetOf } from '#domain/run/path.ts'
import {
  type Choice,
  type ChosenRanks,
  choicesOf,
  effectiveLikelihoods,
  type Likelihoods,
  type RelevantQuestion,
  repliesOf,
} from '#domain/run/possible-choices.ts'
import type { Scorable } from '#domain/run/scoring.ts'
import { decodeOutcome, nbOutcomes, type ScoringScheme, scoringSchemeOf } from './outcomes.ts'
import { type ChosenAnswers, choicesInRun, simulateRuns } from './simulation.ts'
import { createStages, type Packing, packingOf } from './stages.ts'
import {
  countCombinations,
  findLikeliestRun,
  type WalkLimits,
  type WalkStep,
  walkAll,
} from './walk.ts'

/** Probability of one result. */
type ResultOdds = {
  id: string
  name: string
  /** Probability from 0 to 1; above 0 if a run with this result is known. */
  probability: number
  /** Replies that give the result; null if none are known. */
  example: Replies | null
}

/** Probabilities of the results of a questionnaire. */
export type Odds = {
  /** False if the runs were simulated, because their states are too many to enumerate. */
  is_exact: boolean
  /** Half the width of the 95 % confidence interval of each probability; 0 if exact. */
  margin: number
  /** Number of simulated runs; 0 if exact. */
  nb_draws: number
  /** Number of different runs; null if a double cannot hold it exactly. */
  nb_combinations: number | null
  /** Results in their order. Runs without a match count for the first result, which they get. */
  results: ResultOdds[]
  /** Probability of a tie that no question decides, or of a total in two tiers. */
  tie: number
  /** Probability of a run without a match. */
  no_match: number
  /** Totals of a quiz by score with their probabilities, ascending. */
  totals: { total: number; probability: number }[]
}

/** Likelihoods of the replies by question id. Replies to other questions are equally likely. */
export type GivenLikelihoods = ReadonlyMap<string, Likelihoods>

/** Limits of the exact computation, and the number of simulated runs beyond them. */
export type OddsLimits = WalkLimits & { most_choices: number; nb_draws: number }
/** `most_work` limits the exact computation to about the duration of a simulation. */
const LIMITS: OddsLimits = {
  most_states: 200_000,
  most_work: 4_000_000,
  most_choices: 2_000,
  nb_draws: 200_000,
}
const SEED = 20_260
/** Standard deviations that contain 95 % of a normal distribution. */
const DEVIATIONS = 1.96
/** Largest variance of an event that occurs or not, at a probability of one half. */
const MAX_VARIANCE = 0.25

/** Input of the exact computation and of the simulation. */
type Task = {
  counted: Scorable
  scheme: ScoringScheme
  asked: RelevantQuestion[]
  packing: Packing
  limits: OddsLimits
}

/**
 * Returns the probability of each result over all possible runs. Exact if the states can be enumerated, else
 * simulated with a fixed seed. Null for a questionnaire without results.
 */
export const oddsOf = (
  counted: Scorable,
  given: GivenLikelihoods = new Map(),
  limits: OddsLimits = LIMITS,
): Odds | null => {
  const scheme = scoringSchemeOf(counted)
  if (!scheme) return null
  const { adds, addsOfNumber, size } = scheme
  const nothing: number[] = Array(size).fill(0)
  const asked = counted.questions
    .filter((question) => decides(question, counted))
    .map((question): RelevantQuestion => {
      const likelihoods = effectiveLikelihoods(question, given.get(question.id))
      const reading = { likelihoods, adds, addsOfNumber, nothing }
      return { question, reading, choices: choicesOf(question, reading, limits.most_choices) }
    })
  const packing = packingOf(asked.map(boundsOf), size)
  const task = { counted, scheme, asked, packing, limits }
  return exactOdds(task) ?? simulatedOdds(task)
}

/** Returns true if the result or the path depends on the reply to a question. */
const decides = (question: SnapshotQuestion, { quiz_mode }: Scorable): boolean => {
  if (question.type === 'scale') return quiz_mode === 'score' && question.counts_in_score === true
  if (!isChoice(question)) return false
  return question.answers.some(
    (answer) =>
      jumpTargetOf(answer, question) !== undefined ||
      (quiz_mode === 'score' ? Boolean(answer.score) : answer.associations.length > 0),
  )
}

/** Returns choices with the extreme points of a question. */
const boundsOf = ({ question, reading, choices }: RelevantQuestion): Pick<Choice, 'adds'>[] => {
  if (choices) return choices
  // The sum over all answers exceeds that of any allowed set.
  const far = (pick: (...values: number[]) => number): Pick<Choice, 'adds'> => {
    const all = question.answers.map(reading.adds)
    return {
      adds: reading.nothing.map((_, at) =>
        all.reduce((sum, added) => sum + pick(0, added[at] ?? 0), 0),
      ),
    }
  }
  return [far(Math.min), far(Math.max)]
}

/** Result of the exact computation or of the simulation. */
type Counts = Pick<Odds, 'tie' | 'no_match'> & { shares: number[]; totals: Map<number, number> }

/** Adds up the outcomes by result. `totals` are those of a quiz by score. */
const countsOf = (
  { counted: { results } }: Task,
  outcomes: ReadonlyMap<number, number>,
  totals: Map<number, number>,
): Counts => {
  const counts: Counts = { shares: results.map(() => 0), tie: 0, no_match: 0, totals }
  for (const [outcome, share] of outcomes) {
    const { index, is_tie, is_match } = decodeOutcome(outcome)
    counts.shares[index] = (counts.shares[index] ?? 0) + share
    if (is_tie) counts.tie += share
    if (!is_match) counts.no_match += share
  }
  return counts
}

const oddsFrom = (
  { counted }: Task,
  { shares, tie, no_match, totals }: Counts,
  more: Pick<Odds, 'is_exact' | 'margin' | 'nb_draws'> & { runs: ReadonlyMap<number, ChosenRanks> },
): Odds => ({
  is_exact: more.is_exact,
  margin: more.margin,
  nb_draws: more.nb_draws,
  nb_combinations: countCombinations(counted.questions),
  results: inResultOrder(counted.results).map(({ id, name }, index) => {
    const run = more.runs.get(index)
    const example = run ? repliesOf(counted.questions, run) : null
    return { id, name, probability: shares[index] ?? 0, example }
  }),
  tie,
  no_match,
  totals: [...totals]
    .map(([total, probability]) => ({ total, probability }))
    .sort((a, b) => a.total - b.total),
})

const increase = (of: Map<number, number>, key: number, by: number): void => {
  of.set(key, (of.get(key) ?? 0) + by)
}

const exactOdds = (task: Task): Odds | null => {
  const { counted, asked, scheme, packing, limits } = task
  const steps: WalkStep[] = []
  for (const { question, choices } of asked) {
    if (!choices) return null
    const packed = choices.map((choice) => ({ ...choice, packed_sums: packing.pack(choice.adds) }))
    steps.push({ question, choices: packed })
  }
  const walked = walkAll(steps, { first: packing.first, limits })
  if (!walked) return null
  const outcomes = new Map<number, number>()
  const totals = new Map<number, number>()
  const sums = new Float64Array(scheme.size)
  const likeliest = new Map<number, { end: number[]; share: number }>()
  walked.ends.forEach((packed_sums, share) => {
    const outcome = scheme.outcomeOf(packing.unpack(packed_sums, sums))
    increase(outcomes, outcome, share)
    if (counted.quiz_mode === 'score') increase(totals, sums[0] as number, share)
    const { index } = decodeOutcome(outcome)
    if (share > (likeliest.get(index)?.share ?? 0))
      likeliest.set(index, { end: [...packed_sums], share })
  })
  const runs = new Map<number, ChosenRanks>()
  for (const [index, { end }] of likeliest)
    runs.set(index, findLikeliestRun(steps, walked.states_by_step, end))
  return oddsFrom(task, countsOf(task, outcomes, totals), {
    is_exact: true,
    margin: 0,
    nb_draws: 0,
    runs,
  })
}

const simulatedOdds = (task: Task): Odds => {
  const { counted, asked, scheme, packing, limits } = task
  const { nb_draws } = limits
  const totals = new Map<number, number>()
  const isScore = counted.quiz_mode === 'score'
  const simulation = { stages: createStages(asked, packing), first: packing.first, seed: SEED }
  const sums = new Float64Array(scheme.size)
  const nb_runs = new Uint32Array(nbOutcomes(counted.results.length))
  const firsts = new Int32Array(nb_runs.length)
  simulateRuns(simulation, nb_draws, (packed_sums, run) => {
    const outcome = scheme.outcomeOf(packing.unpack(packed_sums, sums))
    if (nb_runs[outcome] === 0) firsts[outcome] = run
    nb_runs[outcome] = (nb_runs[outcome] as number) + 1
    if (isScore) increase(totals, sums[0] as number, 1 / nb_draws)
  })
  const outcomes = new Map<number, number>()
  const runs = new Map<number, ChosenRanks>()
  for (const [outcome, nb] of nb_runs.entries()) {
    if (nb === 0) continue
    outcomes.set(outcome, nb / nb_draws)
    const { index } = decodeOutcome(outcome)
    if (!runs.has(index))
      runs.set(index, ranksOf(choicesInRun(simulation, firsts[outcome] as number)))
  }
  const counts = countsOf(task, outcomes, totals)
  const margin = DEVIATIONS * Math.sqrt(MAX_VARIANCE / nb_draws)
  return oddsFrom(task, counts, { is_exact: false, margin, nb_draws, runs })
}

/** Unites the ranks of a question that was drawn in several stages. */
const ranksOf = (chosen: readonly ChosenAnswers[]): ChosenRanks => {
  const ranks = new Map<string, readonly number[]>()
  for (const one of chosen)
    ranks.set(one.question_id, [...(ranks.get(one.question_id) ?? []), ...one.ranks])
  return ranks
}
