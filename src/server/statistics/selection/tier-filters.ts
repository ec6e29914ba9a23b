import { sql } from 'kysely'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import { type TierPlace, tierPlaces } from '#domain/statistics/dimension-figures.ts'
import { filteredIds, idOfFilter } from '#domain/statistics/filter-choices.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { findDimensionIdsInVersions } from '#server/quizzes/versions.store.ts'
import type { Selection } from './indexed-filters.store.ts'
import { countInTiers } from './selection-sizes.store.ts'

/**
 * Returns the selections of the filter `tier`, one for each dimension. A selection has any of the dimension's tiers; all
 * selections must hold. Throws a 422 for a tier that no version has.
 */
export const filterByTiers = async (
  db: Db,
  quiz_id: string,
  { versions, tier }: { versions: readonly AnsweredVersion[]; tier: string | undefined },
): Promise<Selection[]> => {
  const found = filteredIds(tier).map((filter) => ({
    filter,
    places: tierPlaces(versions, filter),
  }))
  const unoffered_ids = found.flatMap(({ filter, places }) => (places.length === 0 ? filter : []))
  const owners = await findDimensionIdsInVersions(db, quiz_id, unoffered_ids.map(idOfFilter))
  const groups = new Map<string, TierPlace[]>()
  for (const { filter, places } of found) {
    const dimension_id = places[0]?.dimension_id ?? owners.get(idOfFilter(filter))
    if (dimension_id === undefined)
      throw invalid('Ce palier ne fait pas partie du questionnaire', 'tier')
    groups.set(dimension_id, [...(groups.get(dimension_id) ?? []), ...places])
  }
  return [...groups.values()].map((places) => ({
    condition: isInTiers(places),
    upperBound: () => countInTiers(db, quiz_id, places),
  }))
}

/** Returns the SQL condition of places; false without places, because their participants were all deleted. */
export const isInTiers = (places: readonly TierPlace[]): Selection['condition'] => {
  const [first = sql<boolean>`false`, ...others] = places.map(
    ({ version, rank, percents }) => sql<boolean>`
      (version = ${version} and dimension_percents[${sql.lit(rank)}] = any(${percents}::smallint[]))`,
  )
  return sql<boolean>`(${sql.join([first, ...others], sql` or `)})`
}
