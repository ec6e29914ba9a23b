import type { Figures } from '#contract/statistics/figures.ts'
import type { NumberSummary } from '#domain/common/numbers.ts'
import { confirmationCounts } from '#domain/confirmations/confirmation.ts'
import { type AnsweredVersion, countPageVisits } from '#domain/statistics/asked-questions.ts'
import { dimensionFigures } from '#domain/statistics/dimension-figures.ts'
import {
  consentFigures,
  everyDay,
  resultShares,
  scoreSummary,
  tiersOf,
} from '#domain/statistics/figures.ts'
import { filterChoices } from '#domain/statistics/filter-choices.ts'
import { gridFigures } from '#domain/statistics/grid-figures.ts'
import { durationSummary } from '#domain/statistics/key-figures.ts'
import { pointsFilterChoices } from '#domain/statistics/percent-filters.ts'
import { questionFigures } from '#domain/statistics/question-figures.ts'
import { type RightSetCount, rightAnswerFigures } from '#domain/statistics/right-answers.ts'
import { sourcesOf } from '#domain/statistics/sources.ts'
import { funnelOf } from '#domain/statistics/visits.ts'
import type { Counts, VisitedVersion } from '#server/statistics/counters/counters.store.ts'
import type { View } from './read-view.ts'

/** Summary of each number question, by question id. */
export type Numbers = Map<string, NumberSummary | null>

/** Counts that figures need beyond those of the selection. */
export type FigureCounts = {
  numbers: Numbers
  right_sets: RightSetCount[]
  /** Visits of each version; null if other filters exclude participants. */
  visits: VisitedVersion[] | null
}

/** Computes figures from counts and the contents of all answered versions. */
export const figuresOf = (
  { answeredVersions, campaigns }: Pick<View, 'answeredVersions' | 'campaigns'>,
  counts: Counts,
  { numbers, right_sets, visits }: FigureCounts,
): Figures => {
  const scores = scoreSummary(counts.scores)
  return {
    nb_participants: sumOf(counts.versions),
    nb_all_participants: sumOf(answeredVersions),
    results: resultShares(counts.versions, counts.results, answeredVersions),
    days: everyDay(counts.days),
    consent: consentFigures(counts.consents),
    confirmation: confirmationCounts(counts.confirmations),
    scores,
    tiers: scores ? tiersOf(answeredVersions) : [],
    dimensions: dimensionFigures(counts.versions, counts.dimensions, answeredVersions),
    right_answers: rightAnswerFigures(counts.versions, counts.choices, right_sets),
    duration: durationSummary(counts.durations),
    visits: visits && visitsOf(visits, counts),
    sources: sourcesOf(counts.parameters),
    questions: questionFigures(counts.versions, counts, numbers),
    grids: gridFigures(counts.versions),
    choices: choicesOf({ answeredVersions, campaigns }),
  }
}

/** Returns the number of participants of these versions. */
export const sumOf = (versions: readonly AnsweredVersion[]): number =>
  versions.reduce((sum, { nb_responses }) => sum + nb_responses, 0)

/** Computes the visits of each version. `counts` covers the same period. */
const visitsOf = (visited: readonly VisitedVersion[], counts: Counts): Figures['visits'] =>
  visited.map(({ version, has_jumps, steps, ...version_visits }) => {
    const version_counts = counts.versions.find((candidate) => candidate.version === version)
    const passed = version_counts
      ? countPageVisits(version_counts, counts.choices)
      : new Map<number, number>()
    return {
      version,
      has_jumps,
      nb_confirmed:
        confirmationCounts(counts.confirmations.filter((count) => count.version === version))
          ?.nb_confirmed ?? null,
      steps: funnelOf(steps, has_jumps ? { ...version_visits, passed } : version_visits),
    }
  })

/** Returns what the participants of a view can be filtered by. */
export const choicesOf = ({
  answeredVersions,
  campaigns,
}: Pick<View, 'answeredVersions' | 'campaigns'>): Figures['choices'] => ({
  ...filterChoices(answeredVersions),
  ...pointsFilterChoices(answeredVersions),
  ...(campaigns.length > 0 && { campaigns }),
})
