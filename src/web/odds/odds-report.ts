import {
  computeDimensionOdds,
  type DimensionOdds,
  findImpossibleTiers,
  type ImpossibleTier,
} from '#domain/odds/dimension-odds.ts'
import { findImpossibleResults, type ImpossibleResult } from '#domain/odds/impossible-results.ts'
import { computeExtremeOdds, type ExtremeOdds } from '#domain/odds/joint-dimensions.ts'
import { computeOdds, type Odds } from '#domain/odds/odds.ts'
import {
  estimateParticipantLikelihoods,
  type ParticipantCounts,
} from '#domain/odds/participant-likelihoods.ts'
import { computeTextOdds, type TextOdds } from '#domain/odds/text-odds.ts'
import {
  findTotalsWithoutResult,
  findTotalsWithSeveralResults,
  type LikelyTotals,
} from '#domain/odds/total-ranges.ts'
import type { Draft, QuizTies } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'

/** Input of an odds computation. */
export type OddsTask = {
  draft: Draft
  /** Replies of past participants as an estimate of future replies; undefined if all replies are equally likely. */
  participantCounts: ParticipantCounts | undefined
}

/** Input of a computation of the shares of conditional texts. */
export type TextOddsTask = { texts_of: Draft }

/** Odds of a draft with the problems that a creator should know. */
export type OddsReport = {
  odds: Odds
  /** Results that no combination of replies gives, even if participants reply differently than before. */
  impossible_results: ImpossibleResult[]
  /** Possible totals that no tier contains; empty for quizzes by profiles. */
  totals_without_result: LikelyTotals[]
  /** Possible totals that several tiers contain, with the names of the first two results. */
  totals_in_two_tiers: (LikelyTotals & { names: [string, string] })[]
  dimensions: DimensionOdds[]
  /** Share of the runs in which « point fort » and « point faible » are empty; null without dimensions. */
  extremes: ExtremeOdds | null
  /** Tiers of dimensions that no combination of replies gives. */
  impossible_tiers: ImpossibleTier[]
  /** With the rule 'both', visitors see all tied results; the odds count only the first of them. */
  tie_rule: QuizTies['tie_rule']
}

/** Computes the odds report of a draft; null for a sondage, and for a quiz without results or mode. */
export const computeOddsReport = ({ draft, participantCounts }: OddsTask): OddsReport | null => {
  const snapshot = takeSnapshot(draft)
  const oddsOfEqualReplies = computeOdds(snapshot)
  if (!oddsOfEqualReplies) return null
  const likelihoods =
    participantCounts && estimateParticipantLikelihoods(snapshot, participantCounts)
  const odds = (likelihoods && computeOdds(snapshot, likelihoods)) ?? oddsOfEqualReplies
  const dimensionsOfEqualReplies = computeDimensionOdds(snapshot)
  const dimensions = likelihoods
    ? computeDimensionOdds(snapshot, likelihoods)
    : dimensionsOfEqualReplies
  return {
    odds,
    dimensions,
    extremes: computeExtremeOdds(snapshot, dimensions, likelihoods ?? undefined),
    impossible_tiers: findImpossibleTiers(dimensionsOfEqualReplies),
    impossible_results: findImpossibleResults(snapshot, oddsOfEqualReplies),
    totals_without_result: findTotalsWithoutResult(odds, snapshot.results),
    totals_in_two_tiers: findTotalsWithSeveralResults(odds, snapshot.results),
    tie_rule: draft.quiz.tie_rule,
  }
}

/** Computes the share of the runs that show each conditional text of a draft. */
export const computeTextReport = ({ texts_of }: TextOddsTask): TextOdds[] =>
  computeTextOdds(takeSnapshot(texts_of))
