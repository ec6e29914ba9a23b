import {
  type NumberCount,
  type NumberSummary,
  readNumber,
  sharesOf,
  summariseNumbers,
} from '#domain/common/numbers.ts'
import type { Result } from '#domain/questionnaire/quiz.ts'
import type { AnsweredVersion } from './asked-questions.ts'
import { resultWordings } from './filter-choices.ts'
import { daysOf } from './periods.ts'
import type { TextCount } from './question-figures.ts'
import { wordingFilters } from './wordings.ts'

/** How many participants ended on a result; its rank is that of the version's own list. */
export type ResultCount = { version: number; result_position: number; count: number }
export type DayCount = { day: string; count: number }
export type ScoreCount = { score: number; count: number }

/** A version that was taken, of whose snapshot the results are needed. */
export type VersionResults = Pick<AnsweredVersion, 'version' | 'nb_responses'> & {
  snapshot: { results: readonly Pick<Result, 'id' | 'name'>[] }
}

type ResultShare = {
  result_name: string
  count: number
  percentage: number
  /** What filters by those that it counts; none of those without a result. */
  filter?: string
}

export const NO_RESULT = 'Sans résultat'

const sumOf = (counts: readonly { count: number }[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0)

/**
 * How participants are spread over the results, in the order of the newest version that has each; a
 * result that was renamed has a line for each name. They add up to the participants: those without a
 * result have a line of their own. Empty when no participant has one. `taken` as for `questionStats`.
 */
export const resultShares = (
  versions: readonly VersionResults[],
  counts: readonly ResultCount[],
  taken = versions,
): ResultShare[] => {
  const filterOf = wordingFilters(resultWordings(taken))
  const participants = versions.reduce((sum, { nb_responses }) => sum + nb_responses, 0)
  const lines = new Map<string, Omit<ResultShare, 'percentage'>>()
  for (const { version, snapshot } of [...versions].sort((a, b) => b.version - a.version)) {
    for (const [rank, { id, name }] of snapshot.results.entries()) {
      const count = sumOf(
        counts.filter((one) => one.version === version && one.result_position === rank),
      )
      const filter = filterOf({ id, text: name })
      const line = lines.get(filter)
      if (line) line.count += count
      else lines.set(filter, { result_name: name, count, filter })
    }
  }
  const reached = sumOf([...lines.values()])
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

/** Mean, median and spread of the scores; null when there are none. */
export const scoreSummary = (counts: readonly ScoreCount[]): NumberSummary | null =>
  summariseNumbers(counts.map(({ score, count }) => ({ value: score, count })))

/** The scores that lead to a result, both included. */
type Tier = { result_name: string; min: number; max: number }

/** The tiers of the newest of these versions, lowest first; none unless it is a quiz by score. */
export const tiersOf = (versions: readonly AnsweredVersion[]): Tier[] => {
  const [newest] = [...versions].sort((a, b) => b.version - a.version)
  const tiers = (newest?.snapshot.results ?? []).flatMap(({ name, min_score, max_score }) =>
    min_score === null || max_score === null
      ? []
      : { result_name: name, min: min_score, max: max_score },
  )
  return tiers.sort((a, b) => a.min - b.min)
}

/** The texts typed to a number question as numbers; what is none of them is left out of the count. */
export const numberSummary = (texts: readonly TextCount[]): NumberSummary | null =>
  summariseNumbers(
    texts.flatMap(({ text, count }): NumberCount[] => {
      const value = readNumber(text)
      return value === null ? [] : [{ value, count }]
    }),
  )

/**
 * Every day from the first to the last one with participants, those without any included; over more
 * than ten years, which a server's wrong clock may make, only the days with participants. A day may come
 * several times, as one of several versions.
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
