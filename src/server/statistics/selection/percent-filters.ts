import { sql } from 'kysely'
import type { ParticipantFilters } from '#contract/participant-filters.ts'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import {
  canFilterByScorePercent,
  filteredPercents,
  type PercentFilter,
  percentPlaces,
  SCORE_SUBJECT,
  type ScorePlace,
  scorePlaces,
} from '#domain/statistics/percent-filters.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { HAS_CERTIFICATE, type Selection } from './indexed-filters.store.ts'
import { countCertificates, countInTiers } from './selection-sizes.store.ts'
import { isInTiers } from './tier-filters.ts'

/**
 * Returns the selections of the filter `percent`, which must all hold. Throws a 422 for a dimension that no version with
 * participants has, and for the score of a quiz with jumps.
 */
export const filterByPercents = (
  db: Db,
  quiz_id: string,
  { versions, percent }: { versions: readonly AnsweredVersion[]; percent: string | undefined },
): Selection[] =>
  filteredPercents(percent).map((filter) => {
    if (filter.subject === SCORE_SUBJECT) return filterByScore(versions, filter)
    const places = percentPlaces(versions, filter)
    if (places.length === 0) throw unknownPercent()
    return {
      condition: isInTiers(places),
      upperBound: () => countInTiers(db, quiz_id, places),
    }
  })

const unknownPercent = () =>
  invalid('Ce pourcentage ne peut pas filtrer les participants de ce questionnaire', 'percent')

const filterByScore = (versions: readonly AnsweredVersion[], filter: PercentFilter): Selection => {
  if (!canFilterByScorePercent(versions)) throw unknownPercent()
  const [first = sql<boolean>`false`, ...others] = scorePlaces(versions, filter).map(hasScore)
  return {
    condition: sql<boolean>`(${sql.join([first, ...others], sql` or `)})`,
    // Scores have no index; the caller also counts by date.
    upperBound: async () => Number.POSITIVE_INFINITY,
  }
}

const hasScore = ({ version, from_score, to_score }: ScorePlace): Selection['condition'] =>
  sql<boolean>`(${sql.join(
    [
      sql`version = ${version}`,
      ...(from_score === null ? [] : [sql`score >= ${from_score}`]),
      ...(to_score === null ? [] : [sql`score <= ${to_score}`]),
    ],
    sql` and `,
  )})`

/** Returns the selections of the filter `certificate`: none, or one by the key of the table of certificates. */
export const filterByCertificate = (
  db: Db,
  quiz_id: string,
  certificate: ParticipantFilters['certificate'],
): Selection[] => {
  if (certificate === undefined) return []
  return certificate === 'delivered'
    ? [{ condition: HAS_CERTIFICATE, upperBound: () => countCertificates(db, quiz_id) }]
    : [
        {
          condition: sql<boolean>`(not ${HAS_CERTIFICATE})`,
          upperBound: async () => Number.POSITIVE_INFINITY,
        },
      ]
}
