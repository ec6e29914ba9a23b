import { isChoice } from '#domain/questionnaire/quiz.ts'
import {
  inResultOrder,
  type SnapshotAnswer,
  type SnapshotQuestion,
  type SnapshotResult,
} from '#domain/questionnaire/snapshot.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'
import { reachableTotals } from '#domain/run/reachable-totals.ts'
import { isInTier, type Scorable, tierOf } from '#domain/run/scoring.ts'
import type { Odds } from './odds.ts'
import { checkedAssociations } from './outcomes.ts'

/** Result that always wins against another. `is_ahead` means more points in every run, not only equal points. */
type DominantResult = { result: SnapshotResult; is_ahead: boolean }

/**
 * Returns the first result with more points than the result at `index` in every run. Otherwise the first with at
 * least as many that wins every tie; null if neither exists.
 */
const findDominantResult = (
  { quiz, questions }: Pick<Scorable, 'quiz' | 'questions'>,
  results: readonly SnapshotResult[],
  index: number,
): DominantResult | null => {
  const { id } = results[index] as SnapshotResult
  const leads = results.map((other) =>
    other.id === id ? Number.POSITIVE_INFINITY : largestLead(questions, id, other.id),
  )
  const ahead = results.find((_, at) => (leads[at] as number) < 0)
  if (ahead) return { result: ahead, is_ahead: true }
  // A result with a weight of 0 still beats a result without associations.
  const hasNoWeight = linksTo(questions, id).some(({ weight }) => weight === 0)
  if (quiz.tie_rule === 'question' || hasNoWeight) return null
  const equal = results.find((_, at) => at < index && leads[at] === 0)
  return equal ? { result: equal, is_ahead: false } : null
}

/** Returns the largest lead of a result over another, over all runs; negative if it never reaches the other. */
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
      answers: question.answers.map((answer) => ({ ...answer, score: difference(answer) })),
    })),
  ).to
}

const weightOf = (answer: SnapshotAnswer, id: string): number =>
  checkedAssociations(answer).reduce(
    (sum, { result_id, weight }) => (result_id === id ? sum + weight : sum),
    0,
  )

const linksTo = (questions: readonly SnapshotQuestion[], id: string) =>
  questions
    .filter(isChoice)
    .flatMap(({ answers }) => answers.flatMap(checkedAssociations))
    .filter(({ result_id }) => result_id === id)

/** Result that a proof names. */
type ResultName = { id: string; name: string }

/** Proof that no run gives a result. `tier` has its totals; the highest may be Infinity. */
export type Impossibility =
  /** The tier begins above or ends below all reachable totals. */
  | { kind: 'tier_above'; tier: Range; totals: Range }
  | { kind: 'tier_below'; tier: Range; totals: Range }
  /** No run has a total in the tier; `below` and `above` are the nearest totals. */
  | { kind: 'tier_between'; tier: Range; below: number; above: number }
  /** Tiers of earlier results contain all totals of the tier. */
  | { kind: 'tier_held'; tier: Range; by: ResultName[] }
  /** The lowest total of the tier is above the highest. */
  | { kind: 'tier_empty'; tier: Range }
  /** No answer is associated with the result. */
  | { kind: 'no_answer' }
  /** Another result has more points in every run. */
  | { kind: 'always_fewer'; than: ResultName }
  /** An earlier result has at least as many points in every run. */
  | { kind: 'loses_ties'; to: ResultName }
  /** Every run has another result; `nb_combinations` is null if it is too large to be exact. */
  | { kind: 'never_highest'; nb_combinations: number | null }

/** Result that no run gives, with the proof. */
export type ImpossibleResult = ResultName & { why: Impossibility }

/**
 * Returns the results that no run gives, in their order. `odds` must assume equally likely replies. Without exact
 * odds, or if all tied results are shown, only proofs from single answers are used.
 */
export const impossibleResults = (counted: Scorable, odds: Odds): ImpossibleResult[] => {
  const results = inResultOrder(counted.results)
  const proof = counted.quiz_mode === 'score' ? proofByScore : proofByProfiles
  const task = { counted, odds, results }
  return results.flatMap((result, index) => {
    const canOccur = (odds.results[index]?.probability ?? 0) > 0
    // Runs without a match also give the first result.
    if (canOccur || (index === 0 && mayMatchNothing(task))) return []
    const why = proof(task, index)
    return why ? { id: result.id, name: result.name, why } : []
  })
}

type Task = { counted: Scorable; odds: Odds; results: readonly SnapshotResult[] }

const mayMatchNothing = ({ counted, odds, results }: Task): boolean => {
  if (odds.is_exact) return odds.no_match > 0
  if (counted.quiz_mode !== 'score') return true
  return !areCovered(
    reachableTotals(counted.questions),
    results.map((one) => tierOf(one)),
  )
}

/** Returns true if the tiers together contain every whole number of the range. */
const areCovered = ({ from, to }: Range, tiers: readonly Range[]): boolean => {
  let next = from
  for (const tier of tiers.toSorted((a, b) => a.from - b.from))
    if (tier.from <= next && tier.to >= next) next = tier.to + 1
  return next > to
}

const named = ({ id, name }: SnapshotResult): ResultName => ({ id, name })

const proofByScore = ({ counted, odds, results }: Task, index: number): Impossibility | null => {
  const tiers = results.map((one) => tierOf(one))
  const tier = tiers[index] as Range
  if (tier.from > tier.to) return { kind: 'tier_empty', tier }
  const totals = reachableTotals(counted.questions)
  if (tier.from > totals.to) return { kind: 'tier_above', tier, totals }
  if (tier.to < totals.from) return { kind: 'tier_below', tier, totals }
  const before = results.slice(0, index)
  const coveredBy = (total: number): SnapshotResult | undefined =>
    before.find((one) => isInTier(tierOf(one), total))
  const had = odds.totals.map(({ total }) => total)
  const within = had.filter((total) => isInTier(tier, total))
  if (odds.is_exact) {
    const below = had.findLast((total) => total < tier.from)
    const above = had.find((total) => total > tier.to)
    if (within.length === 0 && below !== undefined && above !== undefined)
      return { kind: 'tier_between', tier, below, above }
    const by = new Set(within.flatMap((total) => coveredBy(total) ?? []))
    return { kind: 'tier_held', tier, by: [...by].map(named) }
  }
  const possible = { from: Math.max(tier.from, totals.from), to: Math.min(tier.to, totals.to) }
  if (
    !areCovered(
      possible,
      before.map((one) => tierOf(one)),
    )
  )
    return null
  const by = before.filter((one) => {
    const { from, to } = tierOf(one)
    return from <= possible.to && to >= possible.from
  })
  return { kind: 'tier_held', tier, by: by.map(named) }
}

const proofByProfiles = ({ counted, odds, results }: Task, index: number): Impossibility | null => {
  const { id } = results[index] as SnapshotResult
  const leadsToIt = counted.questions.some(({ answers }) =>
    answers.some((answer) => checkedAssociations(answer).some(({ result_id }) => result_id === id)),
  )
  if (!leadsToIt) return { kind: 'no_answer' }
  const dominator = findDominantResult(counted, results, index)
  if (dominator?.is_ahead) return { kind: 'always_fewer', than: named(dominator.result) }
  // A result that never comes first may still be shown among tied results.
  if (counted.quiz.tie_rule === 'both') return null
  if (dominator) return { kind: 'loses_ties', to: named(dominator.result) }
  return odds.is_exact ? { kind: 'never_highest', nb_combinations: odds.nb_combinations } : null
}
