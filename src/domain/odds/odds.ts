import type { Replies } from '#domain/questionnaire/quiz.ts'
import { inResultOrder } from '#domain/questionnaire/snapshot.ts'
import { repliesOf } from '#domain/run/possible-choices.ts'
import type { ScoredQuiz } from '#domain/run/scoring.ts'
import { countCombinations } from './count-combinations.ts'
import { distributeRuns, type OddsLimits, type Precision } from './distribute-runs.ts'
import { createRunSums, type LikelihoodsByQuestion } from './run-sums.ts'
import { countOutcomeCodes, createScoringScheme, decodeOutcome } from './scoring-scheme.ts'

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
export type Odds = Precision & {
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

/** Default limits. An exact computation within them takes about as long as a simulation. */
export const LIMITS: OddsLimits = {
  max_states: 200_000,
  max_operations: 4_000_000,
  max_listed_choices: 2_000,
  nb_simulated_runs: 200_000,
}

/**
 * Computes the probability of each result over all possible runs. The odds are exact within the limits, otherwise
 * simulated. Returns null for a sondage, and for a quiz without results or mode.
 */
export const computeOdds = (
  quiz_content: ScoredQuiz,
  likelihoods: LikelihoodsByQuestion = new Map(),
  limits: OddsLimits = LIMITS,
): Odds | null => {
  const scheme = createScoringScheme(quiz_content)
  if (!scheme) return null
  const { questions, quiz_mode } = quiz_content
  const run_sums = createRunSums(questions, { scheme }, likelihoods, limits.max_listed_choices)
  const distribution = distributeRuns(run_sums, limits)
  const { precision, nb_simulated_runs, total_weight } = distribution

  const nb_codes = countOutcomeCodes(quiz_content.results.length)
  const weights = new Float64Array(nb_codes)
  const largest_weights = new Float64Array(nb_codes)
  const likeliest_groups = new Float64Array(nb_codes)
  const totals = new Map<number, number>()
  distribution.forEach((sums, weight, group) => {
    const code = scheme.outcomeOf(sums)
    weights[code] = (weights[code] as number) + weight
    if (weight > (largest_weights[code] as number)) {
      largest_weights[code] = weight
      likeliest_groups[code] = group
    }
    if (quiz_mode !== 'score') return
    const total = sums[0] as number
    totals.set(total, (totals.get(total) ?? 0) + weight)
  })

  const results = inResultOrder(quiz_content.results).map(({ id, name }) => ({
    ...{ id, name, probability: 0, tie_probability: 0 },
    ...{ largest_weight: 0, likeliest_group: 0 },
  }))
  let [tie_probability, no_match_probability] = [0, 0]
  for (const [code, weight] of weights.entries()) {
    const { index, is_tie, is_match } = decodeOutcome(code)
    const result = results[index]
    if (!result || weight === 0) continue
    const probability = weight / total_weight
    result.probability += probability
    if (is_tie) result.tie_probability += probability
    if (is_tie) tie_probability += probability
    if (!is_match) no_match_probability += probability
    const [largest_weight = 0, likeliest_group = 0] = [
      largest_weights[code],
      likeliest_groups[code],
    ]
    // All simulated runs have equal weights, so that the lowest code decides: a run without a tie.
    const isFirstOfEqual =
      precision.is_exact &&
      largest_weight === result.largest_weight &&
      likeliest_group < result.likeliest_group
    if (largest_weight > result.largest_weight || isFirstOfEqual)
      Object.assign(result, { largest_weight, likeliest_group })
  }
  return {
    ...precision,
    nb_simulated_runs,
    nb_combinations: countCombinations(questions),
    results: results.map(({ largest_weight, likeliest_group, ...result }) => ({
      ...result,
      example:
        largest_weight > 0 ? repliesOf(questions, distribution.exampleOf(likeliest_group)) : null,
    })),
    tie_probability,
    no_match_probability,
    totals: [...totals]
      .map(([total, weight]) => ({ total, probability: weight / total_weight }))
      .sort((a, b) => a.total - b.total),
  }
}
