import {
  type NumberCount,
  type NumberSummary,
  sharesOf,
  summariseNumbers,
} from '#domain/common/numbers.ts'
import { readNumber } from '#domain/common/read-number.ts'
import type { Result } from '#domain/questionnaire/quiz.ts'
import type { AnsweredVersion } from './asked-questions.ts'
import { resultWordings, wordingFilters } from './filter-choices.ts'
import { type DayCount, daysOf } from './periods.ts'
import type { TextCount } from './question-figures.ts'
import { sumCounts } from './sum-counts.ts'

/** Number of participants with a result, given by its rank in the version. */
export type ResultCount = { version: number; result_position: number; count: number }
/** Number of participants with a score. */
export type ScoreCount = { score: number; count: number }

/** Answered version with the names of its results. */
export type VersionResults = Pick<AnsweredVersion, 'version' | 'nb_responses'> & {
  snapshot: { results: readonly Pick<Result, 'id' | 'name'>[] }
}

type ResultShare = {
  result_name: string
  count: number
  percentage: number
  /** Filter for the counted participants; missing for participants without a result. */
  filter?: string
}

/** Name of the line of participants without a result. */
export const NO_RESULT = 'Sans résultat'

/**
 * Returns the number of participants for each result, in the order of the newest version. A renamed result has a line
 * for each name; participants without a result have one line too. Empty if no one has a result. `answered_versions`
 * are all answered versions, including those that a filter excludes.
 */
export const resultShares = (
  versions: readonly VersionResults[],
  counts: readonly ResultCount[],
  answered_versions = versions,
): ResultShare[] => {
  const filterOf = wordingFilters(resultWordings(answered_versions))
  const participants = versions.reduce((sum, { nb_responses }) => sum + nb_responses, 0)
  const lines = new Map<string, Omit<ResultShare, 'percentage'>>()
  for (const { version, snapshot } of [...versions].sort((a, b) => b.version - a.version)) {
    for (const [rank, { id, name }] of snapshot.results.entries()) {
      const count = sumCounts(
        counts.filter((line) => line.version === version && line.result_position === rank),
      )
      const filter = filterOf({ id, text: name })
      const line = lines.get(filter)
      if (line) line.count += count
      else lines.set(filter, { result_name: name, count, filter })
    }
  }
  const reached = sumCounts([...lines.values()])
  if (reached === 0) return []
  const others = participants - reached
  const all = [
    ...lines.values(),
    ...(others > 0 ? [{ result_name: NO_RESULT, count: others }] : []),
  ]
  const shares = sharesOf(
    all.map(({ count }) => count),
    { total: participants },
  )
  return all.map((line, rank) => ({ ...line, percentage: shares[rank] ?? 0 }))
}

/** Returns mean, median and histogram of the scores; null without scores. */
export const scoreSummary = (counts: readonly ScoreCount[]): NumberSummary | null =>
  summariseNumbers(counts.map(({ score, count }) => ({ value: score, count })))

/** Range of scores that gives a result, both ends included. */
type Tier = { result_name: string; min: number; max: number }

/**
 * Returns the ranges of scores of the newest version, lowest first. Results with an open end are left out. The caller
 * knows that the version is a quiz by score.
 */
export const tiersOf = (versions: readonly AnsweredVersion[]): Tier[] => {
  const [newest] = [...versions].sort((a, b) => b.version - a.version)
  const tiers = (newest?.snapshot.results ?? []).flatMap(({ name, min_score, max_score }) =>
    min_score === null || max_score === null
      ? []
      : { result_name: name, min: min_score, max: max_score },
  )
  return tiers.sort((a, b) => a.min - b.min)
}

/** Returns the summary of the texts of a number question. Texts that are not numbers are not counted. */
export const numberSummary = (texts: readonly TextCount[]): NumberSummary | null =>
  summariseNumbers(
    texts.flatMap(({ text, count }): NumberCount[] => {
      const value = readNumber(text)
      return value === null ? [] : [{ value, count }]
    }),
  )

/**
 * Returns every day from the first to the last with participants, days without any included. Over more than ten
 * years, which a wrong clock can cause, returns only days with participants. Equal days of several versions are added
 * up.
 */
export const everyDay = (counts: readonly DayCount[]): DayCount[] => {
  const countOf = new Map<string, number>()
  for (const { day, count } of counts)
    if (count > 0) countOf.set(day, (countOf.get(day) ?? 0) + count)
  const known = [...countOf]
    .map(([day, count]) => ({ day, count }))
    .sort((a, b) => (a.day < b.day ? -1 : 1))
  const [first] = known
  const last = known.at(-1)
  return first && last ? daysOf({ from: first.day, to: last.day }, known) : []
}

/** Returns how many participants saw the consent box and how many ticked it; null if the box was never shown. */
export const consentFigures = (
  consents: readonly { consent_version: number; count: number }[],
): { nb_asked: number; nb_agreed: number } | null => {
  const nb_asked = consents.reduce((sum, { count }) => sum + count, 0)
  const refused = consents.find(({ consent_version }) => consent_version === 0)?.count ?? 0
  return nb_asked === 0 ? null : { nb_asked, nb_agreed: nb_asked - refused }
}
