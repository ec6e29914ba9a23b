import { findImpossibleResults, type ImpossibleResult } from '#domain/odds/impossible-results.ts'
import { computeOdds, type Odds } from '#domain/odds/odds.ts'
import {
  estimateParticipantLikelihoods,
  type ParticipantCounts,
} from '#domain/odds/participant-likelihoods.ts'
import {
  findTotalsWithoutResult,
  findTotalsWithSeveralResults,
  type LikelyTotals,
} from '#domain/odds/total-ranges.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'

/** Input of an odds computation. */
export type OddsTask = {
  draft: Draft
  /** Replies of participants that predict future replies; undefined if all replies are equally likely. */
  answered: ParticipantCounts | undefined
}

/** Odds of a draft with the problems that a creator should know. */
export type OddsReport = {
  odds: Odds
  /** Results that no combination of replies gives. */
  impossible: ImpossibleResult[]
  /** Totals in score mode that no tier contains (`without_result`) or that two tiers contain (`of_two`). */
  without_result: LikelyTotals[]
  of_two: (LikelyTotals & { names: [string, string] })[]
  /** True if all tied results are shown; the odds then count only the first one. */
  shows_equals: boolean
}

/** Computes the odds report of a draft; null for a draft that computes no result. */
export const computeOddsReport = ({ draft, answered }: OddsTask): OddsReport | null => {
  const snapshot = takeSnapshot(draft)
  const alike = computeOdds(snapshot)
  if (!alike) return null
  const given = answered && estimateParticipantLikelihoods(snapshot, answered)
  const odds = (given && computeOdds(snapshot, given)) ?? alike
  return {
    odds,
    impossible: findImpossibleResults(snapshot, alike),
    without_result: findTotalsWithoutResult(odds, snapshot.results),
    of_two: findTotalsWithSeveralResults(odds, snapshot.results),
    shows_equals: snapshot.quiz.tie_rule === 'both',
  }
}
