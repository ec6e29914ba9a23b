import type { CrosstabAnswer } from '#contract/statistics/key-figures.ts'
import {
  type Crosstab,
  type CrosstabSide,
  crosstabOf,
  crosstabSideOf,
} from '#domain/statistics/crosstab.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { wasEverPublished } from '#server/quizzes/versions.store.ts'
import { type BackgroundCounts, createLargeCounts } from './background-counts.ts'
import { createCountCache } from './count-cache.ts'
import { countCrosstab } from './crosstab.store.ts'
import {
  type ReadView,
  recountWithLongerTimeout,
  type StatisticsQuery,
  type View,
} from './read-view.ts'

type Names = { rows: string; columns: string }
type Sides = { rows: CrosstabSide; columns: CrosstabSide }

/** Returns a side without participants, because all participants of its version were deleted. */
const emptySideOf = (ids: Pick<CrosstabSide, 'question_id' | 'dimension_id'>): CrosstabSide => ({
  ...ids,
  text: '',
  takes_several: false,
  items: [],
  places: [],
})

/**
 * Returns the two sides of a table. Throws a 422 if the quiz never had the question or dimension of a side, or if both
 * sides are equal.
 */
const sidesOf = async (
  db: Db,
  { quiz_id, answeredVersions }: View,
  names: Names,
): Promise<Sides> => {
  if (names.rows === names.columns)
    throw invalid('Choisissez une autre question que celle des lignes', 'columns')
  const found = {
    rows: crosstabSideOf(answeredVersions, names.rows),
    columns: crosstabSideOf(answeredVersions, names.columns),
  }
  const side = async (at: keyof Names): Promise<CrosstabSide> => {
    const name = names[at]
    const known = found[at]
    if (known) return known
    const isTaken = answeredVersions.some(({ snapshot: { questions, dimensions = [] } }) =>
      [...questions, ...dimensions].some(({ id }) => id === name),
    )
    if (!isTaken && (await wasEverPublished(db, quiz_id, 'question', name)))
      return emptySideOf({ question_id: name, dimension_id: null })
    if (!isTaken && (await wasEverPublished(db, quiz_id, 'dimension', name)))
      return emptySideOf({ question_id: null, dimension_id: name })
    throw invalid(
      'Ce n’est ni une question à choix, ni une échelle, ni une dimension à paliers du questionnaire',
      at,
    )
  }
  return { rows: await side('rows'), columns: await side('columns') }
}

const readTable = async (db: Db, view: View, names: Names): Promise<Crosstab> => {
  const sides = await sidesOf(db, view, names)
  return crosstabOf(sides.rows, sides.columns, await countCrosstab(db, view, sides))
}

/** Creates a function that reads tables of two questions. Tables of many participants are counted in the background. */
export const createCrosstabs = (readView: ReadView, background: BackgroundCounts) => {
  const keptTables = createCountCache<Crosstab>(background.memory, 'tables')
  const countsOf = createLargeCounts<Crosstab>(background, 'tables')
  return async (
    query: StatisticsQuery,
    { is_async, ...names }: Names & { is_async: boolean },
  ): Promise<CrosstabAnswer> => {
    const keyOf = ({ key }: View): string => JSON.stringify([key, names.rows, names.columns])
    const { view, table } = await readView(
      query,
      async (db, view) => {
        if (!view.is_many) {
          const read = () => readTable(db, view, names)
          return { view, table: await keptTables(keyOf(view), view.state_hash, read) }
        }
        await sidesOf(db, view, names)
        return { view, table: undefined }
      },
      true,
    )
    if (table) return { table }
    const { state_hash, removed } = view
    const { value, as_of } = await countsOf(
      keyOf(view),
      { state_hash, removed, creator_id: query.creator_id, is_async },
      (db) =>
        recountWithLongerTimeout(db, query, async (state, view) => ({
          state_hash: view.state_hash,
          removed: view.removed,
          value: await readTable(state, view, names),
        })),
    )
    return { table: value ?? null, ...(as_of && { as_of }) }
  }
}
