import { isChoice } from '#domain/questionnaire/quiz.ts'
import {
  inResultOrder,
  type SnapshotAnswer,
  type SnapshotQuestion,
  type SnapshotResult,
} from '#domain/questionnaire/snapshot.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'
import { reachableTotals } from '#domain/run/reachable-totals.ts'
import type { Scorable } from '#domain/run/scoring.ts'
import type { Odds } from './odds.ts'
import { checkedAssociations, holds, type Tier, tierOf } from './outcomes.ts'

/** What keeps a result from ever coming out; `is_ahead`: it has more in every run, not only as much. */
type Dominator = { result: SnapshotResult; is_ahead: boolean }

/**
 * The first of the other results, which are in their order, that has more in every run than the one at `index`; else the
 * first that has as much at least and wins every tie with it; null where neither can be said.
 */
const dominatorOf = (
  { quiz, questions }: Pick<Scorable, 'quiz' | 'questions'>,
  results: readonly SnapshotResult[],
  index: number,
): Dominator | null => {
  const { id } = results[index] as SnapshotResult
  const leads = results.map((other) =>
    other.id === id ? Number.POSITIVE_INFINITY : mostAhead(questions, id, other.id),
  )
  const ahead = results.find((_, at) => (leads[at] as number) < 0)
  if (ahead) return { result: ahead, is_ahead: true }
  // One that only a weight of 0 leads to is a result still, beside another to which nothing has led.
  const hasNoWeight = linksTo(questions, id).some(({ weight }) => weight === 0)
  if (quiz.tie_rule === 'question' || hasNoWeight) return null
  const equal = results.find((_, at) => at < index && leads[at] === 0)
  return equal ? { result: equal, is_ahead: false } : null
}

/** How much more than another a result has in the run where it has most more; below 0 when it never has as much. */
const mostAhead = (
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

/** A result in a proof. */
type Named = { id: string; name: string }

/** Why no run gives a result. `tier` holds totals from its lowest to its highest, which may be Infinity. */
export type Impossibility =
  /** Its tier begins above, or ends below, the totals that runs have. */
  | { kind: 'tier_above'; tier: Tier; totals: Range }
  | { kind: 'tier_below'; tier: Tier; totals: Range }
  /** No run has a total of the tier; these are the nearest that runs have, below and above. */
  | { kind: 'tier_between'; tier: Tier; below: number; above: number }
  /** Tiers that come first hold all its totals. */
  | { kind: 'tier_held'; tier: Tier; by: Named[] }
  /** Its lowest total is above its highest. */
  | { kind: 'tier_empty'; tier: Tier }
  /** No answer leads to it. */
  | { kind: 'no_answer' }
  /** In every run another result has more. */
  | { kind: 'always_fewer'; than: Named }
  /** In every run another result that comes first has as much at least. */
  | { kind: 'loses_ties'; to: Named }
  /** Each run, of so many, has another result; null beyond the numbers that are exact. */
  | { kind: 'never_highest'; nb_combinations: number | null }

export type ImpossibleResult = Named & { why: Impossibility }

/**
 * The results that no run gives, in their order, each with its proof. `odds` are those of this questionnaire with all
 * replies equally likely. Where they are exact, every result that cannot come out is named. Where they are not, and where
 * every equal is shown, of which odds count the first alone, a result is named only when its proof needs no more than what
 * single answers bring.
 */
export const impossibleResults = (counted: Scorable, odds: Odds): ImpossibleResult[] => {
  const results = inResultOrder(counted.results)
  const proof = counted.quiz_mode === 'score' ? proofByScore : proofByProfiles
  const task = { counted, odds, results }
  return results.flatMap((result, index) => {
    const isSeen = (odds.results[index]?.probability ?? 0) > 0
    // The first is given when nothing matches, too.
    if (isSeen || (index === 0 && mayMatchNothing(task))) return []
    const why = proof(task, index)
    return why ? { id: result.id, name: result.name, why } : []
  })
}

type Task = { counted: Scorable; odds: Odds; results: readonly SnapshotResult[] }

const mayMatchNothing = ({ counted, odds, results }: Task): boolean => {
  if (odds.is_exact) return odds.no_match > 0
  if (counted.quiz_mode !== 'score') return true
  return !areHeld(reachableTotals(counted.questions), results.map(tierOf))
}

/** Whether these tiers hold every whole number from the first to the last. */
const areHeld = ({ from, to }: Range, tiers: readonly Tier[]): boolean => {
  let next = from
  for (const tier of tiers.toSorted((a, b) => a.from - b.from))
    if (tier.from <= next && tier.to >= next) next = tier.to + 1
  return next > to
}

const named = ({ id, name }: SnapshotResult): Named => ({ id, name })

const proofByScore = ({ counted, odds, results }: Task, index: number): Impossibility | null => {
  const tiers = results.map(tierOf)
  const tier = tiers[index] as Tier
  if (tier.from > tier.to) return { kind: 'tier_empty', tier }
  const totals = reachableTotals(counted.questions)
  if (tier.from > totals.to) return { kind: 'tier_above', tier, totals }
  if (tier.to < totals.from) return { kind: 'tier_below', tier, totals }
  const before = results.slice(0, index)
  const heldBy = (total: number): SnapshotResult | undefined =>
    before.find((one) => holds(tierOf(one), total))
  const had = odds.totals.map(({ total }) => total)
  const within = had.filter((total) => holds(tier, total))
  if (odds.is_exact) {
    const below = had.findLast((total) => total < tier.from)
    const above = had.find((total) => total > tier.to)
    if (within.length === 0 && below !== undefined && above !== undefined)
      return { kind: 'tier_between', tier, below, above }
    const by = new Set(within.flatMap((total) => heldBy(total) ?? []))
    return { kind: 'tier_held', tier, by: [...by].map(named) }
  }
  const possible = { from: Math.max(tier.from, totals.from), to: Math.min(tier.to, totals.to) }
  if (!areHeld(possible, before.map(tierOf))) return null
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
  const dominator = dominatorOf(counted, results, index)
  if (dominator?.is_ahead) return { kind: 'always_fewer', than: named(dominator.result) }
  // One that is never the first of equals may be shown among them.
  if (counted.quiz.tie_rule === 'both') return null
  if (dominator) return { kind: 'loses_ties', to: named(dominator.result) }
  return odds.is_exact ? { kind: 'never_highest', nb_combinations: odds.nb_combinations } : null
}
