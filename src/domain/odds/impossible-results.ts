import { isChoice } from '#domain/questionnaire/quiz.ts'
import {
  inResultOrder,
  type SnapshotAnswer,
  type SnapshotQuestion,
  type SnapshotResult,
} from '#domain/questionnaire/snapshot.ts'
import { isInTier, type Range, tierOf } from '#domain/questionnaire/tiers.ts'
import { reachableTotals } from '#domain/run/reachable-totals.ts'
import type { ScoredQuiz } from '#domain/run/scoring.ts'
import type { Odds } from './odds.ts'
import { checkedAssociations } from './scoring-scheme.ts'

/** Result that is named in a proof. */
type ResultName = { id: string; name: string }

/** Proof that no run gives a result. `tier` is the tier of the result; its end may be Infinity. */
export type Impossibility =
  /** The tier begins above all reachable totals. */
  | { kind: 'tier_above'; tier: Range; totals: Range }
  /** The tier ends below all reachable totals. */
  | { kind: 'tier_below'; tier: Range; totals: Range }
  /** No run has a total in the tier; `below` and `above` are the nearest possible totals. */
  | { kind: 'tier_between'; tier: Range; below: number; above: number }
  /** Tiers of results with priority (`by`) contain all possible totals of the tier. */
  | { kind: 'tier_covered'; tier: Range; by: ResultName[] }
  /** The tier begins after its end. */
  | { kind: 'tier_empty'; tier: Range }
  /** No answer is associated with the result. */
  | { kind: 'no_answer' }
  /** Another result has more points in every run. */
  | { kind: 'always_fewer'; than: ResultName }
  /** A result with priority has at least as many points in every run. */
  | { kind: 'loses_ties'; to: ResultName }
  /** Each run gives some other result; `nb_combinations` as in `Odds`. */
  | { kind: 'never_highest'; nb_combinations: number | null }

/** Result that no run gives, with a proof. */
export type ImpossibleResult = ResultName & { why: Impossibility }

/**
 * Returns the results that no run gives, by priority, each with a proof. `odds` must be computed with equally likely
 * replies. Simulated odds prove less than exact odds, so that some impossible results may then be missing.
 */
export const findImpossibleResults = (quiz_content: ScoredQuiz, odds: Odds): ImpossibleResult[] => {
  const results = inResultOrder(quiz_content.results)
  const findProof = quiz_content.quiz_mode === 'score' ? proveByScore : proveByProfiles
  const context = { quiz_content, odds, results }
  return results.flatMap((result, index) => {
    const canOccur = (odds.results[index]?.probability ?? 0) > 0
    // The first result is also given by runs without a match.
    if (canOccur || (index === 0 && canRunHaveNoMatch(context))) return []
    const why = findProof(context, index)
    return why ? { id: result.id, name: result.name, why } : []
  })
}

type OddsContext = { quiz_content: ScoredQuiz; odds: Odds; results: readonly SnapshotResult[] }

/** Returns true if a run without a match exists or cannot be excluded. */
const canRunHaveNoMatch = ({ quiz_content, odds, results }: OddsContext): boolean => {
  if (odds.is_exact) return odds.no_match_probability > 0
  if (quiz_content.quiz_mode !== 'score') return true
  return !areAllCovered(reachableTotals(quiz_content.questions), results)
}

/** Returns true if the tiers of these results together contain every whole number of the range. */
const areAllCovered = ({ from, to }: Range, results: readonly SnapshotResult[]): boolean => {
  let next = from
  const tiers = results.map((result) => tierOf(result))
  for (const tier of tiers.sort((a, b) => a.from - b.from))
    if (tier.from <= next && tier.to >= next) next = tier.to + 1
  return next > to
}

const nameOf = ({ id, name }: SnapshotResult): ResultName => ({ id, name })

const proveByScore = (
  { quiz_content, odds, results }: OddsContext,
  index: number,
): Impossibility | null => {
  const tier = tierOf(results[index] as SnapshotResult)
  if (tier.from > tier.to) return { kind: 'tier_empty', tier }
  const totals = reachableTotals(quiz_content.questions)
  if (tier.from > totals.to) return { kind: 'tier_above', tier, totals }
  if (tier.to < totals.from) return { kind: 'tier_below', tier, totals }
  const earlierResults = results.slice(0, index)
  if (odds.is_exact) {
    const possibleTotals = odds.totals.map(({ total }) => total)
    const totalsInTier = possibleTotals.filter((total) => isInTier(tier, total))
    const below = possibleTotals.findLast((total) => total < tier.from)
    const above = possibleTotals.find((total) => total > tier.to)
    if (totalsInTier.length === 0 && below !== undefined && above !== undefined)
      return { kind: 'tier_between', tier, below, above }
    const by = totalsInTier.flatMap(
      (total) => earlierResults.find((earlier) => isInTier(tierOf(earlier), total)) ?? [],
    )
    return { kind: 'tier_covered', tier, by: [...new Set(by)].map(nameOf) }
  }
  const reachable = { from: Math.max(tier.from, totals.from), to: Math.min(tier.to, totals.to) }
  const overlapping = earlierResults.filter((earlier) => {
    const { from, to } = tierOf(earlier)
    return from <= reachable.to && to >= reachable.from
  })
  return areAllCovered(reachable, overlapping)
    ? { kind: 'tier_covered', tier, by: overlapping.map(nameOf) }
    : null
}

const proveByProfiles = (
  { quiz_content, odds, results }: OddsContext,
  index: number,
): Impossibility | null => {
  const { id } = results[index] as SnapshotResult
  const associations = associationsWith(quiz_content.questions, id)
  if (associations.length === 0) return { kind: 'no_answer' }
  const { quiz, questions } = quiz_content
  const largestLeads = results.map((other) =>
    other.id === id ? Number.POSITIVE_INFINITY : largestLead(questions, id, other.id),
  )
  const ahead = results.find((_, at) => (largestLeads[at] as number) < 0)
  if (ahead) return { kind: 'always_fewer', than: nameOf(ahead) }
  // With the tie rule `both`, a result that never comes first may still be shown together with a tied result.
  if (quiz.tie_rule === 'both') return null
  // A result with a weight of 0 still beats a result without associations.
  const hasNoWeight = associations.some(({ weight }) => weight === 0)
  const prior = results.slice(0, index).find((_, at) => largestLeads[at] === 0)
  if (prior && quiz.tie_rule !== 'question' && !hasNoWeight)
    return { kind: 'loses_ties', to: nameOf(prior) }
  return odds.is_exact ? { kind: 'never_highest', nb_combinations: odds.nb_combinations } : null
}

/** Returns the maximum over all runs of the points of a result minus the points of another result. */
const largestLead = (
  questions: readonly SnapshotQuestion[],
  id: string,
  other_id: string,
): number => {
  const difference = (answer: SnapshotAnswer): number =>
    weightOf(answer, id) - weightOf(answer, other_id)
  return reachableTotals(
    questions.map((question) => ({
      ...question,
      counts_in_score: false,
      all_or_nothing: false,
      answers: question.answers.map((answer) => ({ ...answer, score: difference(answer) })),
    })),
  ).to
}

/** Returns the points that an answer gives to a result. */
const weightOf = (answer: SnapshotAnswer, id: string): number =>
  checkedAssociations(answer).reduce(
    (sum, { result_id, weight }) => (result_id === id ? sum + weight : sum),
    0,
  )

const associationsWith = (questions: readonly SnapshotQuestion[], id: string) =>
  questions
    .filter(isChoice)
    .flatMap(({ answers }) => answers.flatMap(checkedAssociations))
    .filter(({ result_id }) => result_id === id)
