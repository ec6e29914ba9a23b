import { pointsRangeOf } from '#domain/run/reachable-totals.ts'
import { type AnsweredVersion, hasCertificates } from './asked-questions.ts'
import { dimensionAppearances, type TierPlace } from './dimension-figures.ts'

/** Filters of participants by a percent of the possible points: of the score, or of a dimension. */

/** Subject of a filter by the percent of the score; other subjects are ids of dimensions. */
export const SCORE_SUBJECT = 'score'
/** Maximum number of percents in a filter. */
const MAX_FILTER_PERCENTS = 5
const MAX_PERCENT = 100

/** Values of the filter by certificate: participants with a certificate that was downloaded or sent, or without one. */
export const CERTIFICATE_FILTERS = ['delivered', 'none'] as const

/** Range of percents of one subject, both ends included. */
export type PercentFilter = { subject: string; from: number; to: number }

const FILTER = /^([\da-f-]+|score):(\d{1,3})-(\d{1,3})$/

/** Reads a filter such as `score:50-100,<dimension id>:0-49`, sorted, with one range for each subject. */
export const filteredPercents = (filter = ''): PercentFilter[] => {
  const ranges = filter.split(',').flatMap((part): PercentFilter[] => {
    const [, subject, from, to] = FILTER.exec(part) ?? []
    return subject === undefined ? [] : [{ subject, from: Number(from), to: Number(to) }]
  })
  return [...new Map(ranges.map((range) => [range.subject, range])).values()].sort((a, b) =>
    a.subject < b.subject ? -1 : 1,
  )
}

/** Writes a filter that `filteredPercents` reads. */
export const writePercents = (filters: readonly PercentFilter[]): string =>
  filters.map(({ subject, from, to }) => `${subject}:${from}-${to}`).join(',')

/** Returns true if each range of a filter is within 0 to 100 and not reversed. */
export const isPercentFilter = (filter: string): boolean => {
  const parts = filter.split(',')
  return (
    parts.length <= MAX_FILTER_PERCENTS &&
    parts.every((part) => FILTER.test(part)) &&
    filteredPercents(filter).every(({ from, to }) => from <= to && to <= MAX_PERCENT)
  )
}

type Versions = readonly Pick<AnsweredVersion, 'version' | 'snapshot'>[]

const scoredVersions = (versions: Versions): Versions =>
  versions.filter(({ snapshot }) => snapshot.quiz && snapshot.quiz_mode === 'score')

/** Returns true if an answer of the version leads elsewhere than to the next page. */
const hasJumps = ({ snapshot }: Versions[number]): boolean =>
  snapshot.questions.some(({ answers }) =>
    answers.some(({ jump_to }) => (jump_to ?? null) !== null),
  )

/**
 * Returns true if participants can be filtered by the percent of the score. With jumps, the possible points depend on the
 * path of each participant, which the database does not know.
 */
export const canFilterByScorePercent = (versions: Versions): boolean => {
  const scored = scoredVersions(versions)
  return scored.length > 0 && !scored.some(hasJumps)
}

/** Returns the subjects of percents that participants can be filtered by, with their newest names. */
const percentChoices = (versions: Versions): { id: string; name: string }[] => [
  ...(canFilterByScorePercent(versions) ? [{ id: SCORE_SUBJECT, name: 'Score' }] : []),
  ...[...dimensionAppearances(versions)].map(([id, [newest]]) => ({
    id,
    name: newest?.dimension.name ?? '',
  })),
]

/** Returns the further choices of filters that the versions allow: percents, and certificates. */
export const pointsFilterChoices = (
  versions: Versions,
): { percents?: { id: string; name: string }[]; has_certificates?: true } => {
  const percents = percentChoices(versions)
  return {
    ...(percents.length > 0 && { percents }),
    ...(versions.some(({ snapshot }) => hasCertificates(snapshot)) && { has_certificates: true }),
  }
}

/** Range of scores of one version; a null end has no limit. */
export type ScorePlace = { version: number; from_score: number | null; to_score: number | null }

/**
 * Returns the scores of each version whose percent, rounded down as on the certificate, is in the range. A version whose
 * replies all give equal points has no percent.
 */
export const scorePlaces = (versions: Versions, { from, to }: PercentFilter): ScorePlace[] =>
  scoredVersions(versions).flatMap(({ version, snapshot }): ScorePlace[] => {
    let [least, greatest] = [0, 0]
    for (const question of snapshot.questions) {
      const range = pointsRangeOf(question)
      least += range.from
      greatest += range.to
    }
    const span = greatest - least
    if (span <= 0) return []
    const firstScore = (percent: number): number =>
      least + Math.ceil((percent * span) / MAX_PERCENT)
    return [
      {
        version,
        from_score: from === 0 ? null : firstScore(from),
        to_score: to === MAX_PERCENT ? null : firstScore(to + 1) - 1,
      },
    ]
  })

/** Returns the places of the percents of a dimension; empty for an unknown dimension. */
export const percentPlaces = (
  versions: Versions,
  { subject, from, to }: PercentFilter,
): TierPlace[] =>
  (dimensionAppearances(versions).get(subject) ?? []).map(({ version, rank }) => ({
    version,
    rank,
    percents: Array.from({ length: to - from + 1 }, (_, index) => from + index),
  }))
