import type { CrosstabAnswer } from '#contract/crosstab.ts'
import { type Crosstab, crosstabOf, RESULTS, type Side, sideOf } from '#domain/crosstab.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/errors.ts'
import { wasEver } from '#server/quizzes/versions.store.ts'
import type { BackgroundCounts } from './background-counts.ts'
import { countCrosstab } from './crosstab.store.ts'
import { createKeptAnswers } from './kept-answers.ts'
import { createLargeCounts } from './large-counts.ts'
import { type Asked, lookAgain, type ReadView, type View } from './read-view.ts'

/** The most tables that are kept until their participants change. */
const MOST_KEPT = 200

type Names = { rows: string; columns: string }
type Sides = { rows: Side; columns: Side }

/** A side of a table about nobody: those of its version may have been deleted since. */
const nobodyOf = (name: string): Side => ({
  ...{ question_id: name === RESULTS ? null : name, text: '', takes_several: false },
  ...{ items: [], places: [] },
})

/** 422: never a question of the quiz with answers to tell apart, or twice the same. */
const sidesOf = async (db: Db, { quiz_id, taken }: View, names: Names): Promise<Sides> => {
  if (names.rows === names.columns)
    throw invalid('Choisissez une autre question que celle des lignes', 'columns')
  const found = { rows: sideOf(taken, names.rows), columns: sideOf(taken, names.columns) }
  const side = async (at: keyof Names): Promise<Side> => {
    const name = names[at]
    const known = found[at]
    if (known) return known
    const isAsked = taken.some(({ snapshot }) => snapshot.questions.some(({ id }) => id === name))
    if (isAsked || !(await wasEver(db, quiz_id, 'question', name)))
      throw invalid('Ce n’est pas une question à choix ni une échelle du quiz', at)
    return nobodyOf(name)
  }
  return { rows: await side('rows'), columns: await side('columns') }
}

const readTable = async (db: Db, view: View, names: Names): Promise<Crosstab> => {
  const sides = await sidesOf(db, view, names)
  return crosstabOf(sides.rows, sides.columns, await countCrosstab(db, view, sides))
}

/** Reads tables of who answered what; those of many participants are counted behind the answer. */
export const createCrosstabs = (readView: ReadView, background: BackgroundCounts) => {
  const keptTables = createKeptAnswers<Crosstab>(MOST_KEPT)
  const countsOf = createLargeCounts<Crosstab>(background)
  return async (
    asked: Asked,
    { is_async, ...names }: Names & { is_async: boolean },
  ): Promise<CrosstabAnswer> => {
    const keyOf = ({ key }: View): string => JSON.stringify([key, names.rows, names.columns])
    const { view, table } = await readView(
      asked,
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
      { state_hash, removed, creator_id: asked.creator_id, is_async },
      (db) =>
        lookAgain(db, asked, async (state, view) => ({
          state_hash: view.state_hash,
          removed: view.removed,
          value: await readTable(state, view, names),
        })),
    )
    return { table: value ?? null, ...(as_of && { as_of }) }
  }
}
