import { type ImpossibleResult, impossibleResults } from '#domain/odds/impossible-results.ts'
import { type Odds, oddsOf } from '#domain/odds/odds.ts'
import { type Answered, participantLikelihoods } from '#domain/odds/participant-likelihoods.ts'
import {
  type LikelyTotals,
  totalsWithoutResult,
  totalsWithSeveralResults,
} from '#domain/odds/total-ranges.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'

/** What odds are computed of. */
export type OddsTask = {
  draft: Draft
  /** What participants replied, as whom visitors are supposed to reply; undefined for all replies alike. */
  answered: Answered | undefined
}

/** The odds of a draft and what a creator should know of them. */
export type OddsReport = {
  odds: Odds
  /** The results that no run gives, whatever the replies. */
  impossible: ImpossibleResult[]
  /** By score: totals that no tier holds, and totals that two hold. */
  without_result: LikelyTotals[]
  of_two: (LikelyTotals & { names: [string, string] })[]
  /** Whether every equal is shown, of which the odds count the first alone. */
  shows_equals: boolean
}

/** The report on what visitors would take; null of a draft that computes no result. */
export const computeOddsReport = ({ draft, answered }: OddsTask): OddsReport | null => {
  const snapshot = takeSnapshot(draft)
  const alike = oddsOf(snapshot)
  if (!alike) return null
  const given = answered && participantLikelihoods(snapshot, answered)
  const odds = (given && oddsOf(snapshot, given)) ?? alike
  return {
    odds,
    impossible: impossibleResults(snapshot, alike),
    without_result: totalsWithoutResult(odds, snapshot.results),
    of_two: totalsWithSeveralResults(odds, snapshot.results),
    shows_equals: snapshot.quiz.tie_rule === 'both',
  }
}
