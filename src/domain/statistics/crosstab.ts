import { questionText } from '#domain/questionnaire/grids/question-names.ts'
import { canChooseSeveral } from '#domain/run/replies.ts'
import { replyPlaces } from '#domain/run/stored-replies.ts'
import type { AnsweredVersion } from './asked-questions.ts'
import { dimensionAppearances, NO_TIER, tierOfEachPercent } from './dimension-figures.ts'
import { NO_RESULT } from './figures.ts'
import { numberedAnswers } from './filter-choices.ts'

/** Variable of a crosstab: 'result', or the id of a choice or scale question, or of a dimension with tiers. */
export type CrosstabVariable = string
/** Variable of the results. */
export const RESULTS_VARIABLE: CrosstabVariable = 'result'

/** Position of participants without a result; no version has that many results. */
export const NO_RESULT_POSITION = 32_767
const RESULTS_TEXT = 'Résultat'

type Item = { id: string | null; text: string }

/** Location of a variable in a version: slots, or rank of the dimension, from 1. All are null for the result position. */
type SidePlace = {
  version: number
  first_slot: number | null
  last_slot: number | null
  dimension_rank: number | null
  /** Index of the item for each stored number. */
  indexes: ReadonlyMap<number, number>
}

/** Variable of a crosstab with its items. */
export type CrosstabSide = {
  /** Null for the results and for a dimension. */
  question_id: string | null
  /** Null unless the variable is a dimension. */
  dimension_id: string | null
  text: string
  takes_several: boolean
  /** Items of all versions, each once, with the text of the newest version. */
  items: Item[]
  places: SidePlace[]
}

/** Number of participants of a version with a row number and a column number; null means any number. */
export type CrosstabCount = {
  version: number
  row_number: number | null
  column_number: number | null
  count: number
}

type SideCounts = Omit<CrosstabSide, 'items' | 'places'> & { items: (Item & { count: number })[] }

/** Counts of participants who have a value in both variables. */
export type Crosstab = {
  rows: SideCounts
  columns: SideCounts
  /** Counts by row, then by column. */
  cells: number[][]
  nb_participants: number
}

/**
 * Returns a side of the crosstab. Undefined for an unknown question or dimension, for replies that are texts, and for a
 * dimension without tiers. Without results in any version, items and places are empty.
 */
export const crosstabSideOf = (
  versions: readonly AnsweredVersion[],
  name: CrosstabVariable,
): CrosstabSide | undefined => {
  const newest = [...versions].sort((a, b) => b.version - a.version)
  if (name === RESULTS_VARIABLE) return resultsOf(newest)
  return questionOf(newest, name) ?? dimensionOf(newest, name)
}

const NO_SLOTS = { first_slot: null, last_slot: null }

const resultsOf = (newest: readonly AnsweredVersion[]): CrosstabSide => {
  const side: CrosstabSide = {
    question_id: null,
    dimension_id: null,
    text: RESULTS_TEXT,
    takes_several: false,
    items: [],
    places: [],
  }
  if (newest.every(({ snapshot }) => snapshot.results.length === 0)) return side
  const indexOf = createIndex(side.items)
  for (const { version, snapshot } of newest) {
    const named = snapshot.results.map(({ id, name: text }, position) => {
      return [position, indexOf({ id, text })] as const
    })
    const place = { version, ...NO_SLOTS, dimension_rank: null }
    side.places.push({ ...place, indexes: new Map(named) })
  }
  const none = indexOf({ id: null, text: NO_RESULT })
  const places = side.places.map((place) => ({
    ...place,
    indexes: new Map([...place.indexes, [NO_RESULT_POSITION, none]]),
  }))
  return { ...side, places }
}

const questionOf = (newest: readonly AnsweredVersion[], id: string): CrosstabSide | undefined => {
  const items: Item[] = []
  const indexOf = createIndex(items)
  const questions = newest.flatMap(({ version, snapshot }) =>
    replyPlaces(snapshot).flatMap(({ question, slot, nb_slots }) => {
      if (question.id !== id) return []
      const indexes = new Map(
        numberedAnswers(question).map(({ number, id, text }) => [number, indexOf({ id, text })]),
      )
      const slots = { first_slot: slot + 1, last_slot: slot + nb_slots, dimension_rank: null }
      const text = questionText(snapshot.questions, question)
      return { question, text, place: { version, ...slots, indexes } }
    }),
  )
  const [first] = questions
  if (!first || items.length === 0) return undefined
  return {
    question_id: id,
    dimension_id: null,
    text: first.text,
    takes_several: questions.some(({ question }) => canChooseSeveral(question)),
    items,
    places: questions.map(({ place }) => place),
  }
}

/** Returns the side of a dimension. Its items are the tiers, and « Sans palier » for percents that no tier contains. */
const dimensionOf = (newest: readonly AnsweredVersion[], id: string): CrosstabSide | undefined => {
  const appearances = dimensionAppearances(newest).get(id) ?? []
  const items: Item[] = []
  const indexOf = createIndex(items)
  for (const { dimension } of appearances)
    for (const { id, title: text } of dimension.tiers) indexOf({ id, text })
  const [first] = appearances
  if (!first || items.length === 0) return undefined
  const none = indexOf({ id: null, text: NO_TIER })
  const places = appearances.map(({ version, rank, dimension }) => {
    const tiers = tierOfEachPercent(dimension.tiers)
    const indexes = new Map(
      tiers.map(({ percent, tier }) => [
        percent,
        tier ? indexOf({ id: tier.id, text: tier.title }) : none,
      ]),
    )
    return { version, ...NO_SLOTS, dimension_rank: rank, indexes }
  })
  const { name: text } = first.dimension
  return { question_id: null, dimension_id: id, text, takes_several: false, items, places }
}

/** Returns a function that finds the index of an item by id, and adds a missing item. */
const createIndex = (items: Item[]): ((item: Item) => number) => {
  const known = new Map<string | null, number>()
  return (item) => {
    const index = known.get(item.id) ?? items.push(item) - 1
    known.set(item.id, index)
    return index
  }
}

/** Returns the crosstab of two sides from the counts of each version. */
export const crosstabOf = (
  rows: CrosstabSide,
  columns: CrosstabSide,
  counts: readonly CrosstabCount[],
): Crosstab => {
  const [row_counts, column_counts] = [zeros(rows.items.length), zeros(columns.items.length)]
  const cells = rows.items.map(() => zeros(columns.items.length))
  const [rowOf, columnOf] = [indexesOf(rows), indexesOf(columns)]
  let nb_participants = 0
  for (const { version, row_number, column_number, count } of counts) {
    const row = row_number === null ? undefined : rowOf(version, row_number)
    const column = column_number === null ? undefined : columnOf(version, column_number)
    if (row_number === null && column_number === null) nb_participants += count
    else if (column_number === null) add(row_counts, row, count)
    else if (row_number === null) add(column_counts, column, count)
    else if (row !== undefined) add(cells[row], column, count)
  }
  return withoutEmptyLastItem({
    rows: sideCounts(rows, row_counts),
    columns: sideCounts(columns, column_counts),
    cells,
    nb_participants,
  })
}

const zeros = (length: number): number[] => Array.from({ length }, () => 0)

const add = (counts: number[] | undefined, index: number | undefined, count: number): void => {
  if (counts && index !== undefined) counts[index] = (counts[index] ?? 0) + count
}

const indexesOf = ({
  places,
}: CrosstabSide): ((version: number, number: number) => number | undefined) => {
  const versions = new Map(places.map(({ version, indexes }) => [version, indexes]))
  return (version, number) => versions.get(version)?.get(number)
}

const sideCounts = (
  { question_id, dimension_id, text, takes_several, items }: CrosstabSide,
  counts: readonly number[],
): SideCounts => ({
  question_id,
  dimension_id,
  text,
  takes_several,
  items: items.map((item, index) => ({ ...item, count: counts[index] ?? 0 })),
})

/** Removes « Sans résultat » or « Sans palier », the last item, if it has no participant. */
const withoutEmptyLastItem = (table: Crosstab): Crosstab => {
  const isNone = ({ id, count }: SideCounts['items'][number]): boolean => id === null && count === 0
  const { rows, columns, cells } = table
  return {
    ...table,
    rows: { ...rows, items: rows.items.filter((item) => !isNone(item)) },
    columns: { ...columns, items: columns.items.filter((item) => !isNone(item)) },
    cells: cells
      .filter((_, row) => !rows.items[row] || !isNone(rows.items[row]))
      .map((line) => line.filter((_, at) => !columns.items[at] || !isNone(columns.items[at]))),
  }
}
