import { takesSeveral } from '#domain/run/replies.ts'
import { replyPlaces } from '#domain/run/stored-replies.ts'
import type { AnsweredVersion } from './asked-questions.ts'
import { NO_RESULT } from './figures.ts'
import { numberedAnswers } from './filter-choices.ts'

/** What participants are told apart by: the results, or the id of a choice or scale question. */
export type CrosstabVariable = string
export const RESULTS: CrosstabVariable = 'result'

/** Stands for the result of a participant who has none: no version has so many results. */
export const NO_RESULT_POSITION = 32_767
const RESULTS_TEXT = 'Résultat'

type Item = { id: string | null; text: string }

/** Where a version keeps what a side tells apart: slots of its choices, from 1; null: the position of the result. */
type SidePlace = {
  version: number
  first_slot: number | null
  last_slot: number | null
  /** The index among the items of each number that may be stored there. */
  indexes: ReadonlyMap<number, number>
}

export type Side = {
  /** Null of the results. */
  question_id: string | null
  text: string
  takes_several: boolean
  /** Each once over all versions, in the words of the newest version that has it. */
  items: Item[]
  places: SidePlace[]
}

/** So many participants of a version have this number among the rows, and this one among the columns; null: whichever. */
export type CrosstabCount = {
  version: number
  row_number: number | null
  column_number: number | null
  count: number
}

type SideCounts = Omit<Side, 'items' | 'places'> & { items: (Item & { count: number })[] }

/** How the participants who have something on both sides are spread over them. */
export type Crosstab = {
  rows: SideCounts
  columns: SideCounts
  /** A list for each row. */
  cells: number[][]
  nb_participants: number
}

/**
 * A side of the versions that were taken; undefined where they have no such question, or one that takes text alone.
 * Without a result in any version the results have no items and no places.
 */
export const sideOf = (
  taken: readonly AnsweredVersion[],
  name: CrosstabVariable,
): Side | undefined => {
  const newest = [...taken].sort((a, b) => b.version - a.version)
  return name === RESULTS ? resultsOf(newest) : questionOf(newest, name)
}

const resultsOf = (newest: readonly AnsweredVersion[]): Side => {
  const side: Side = {
    ...{ question_id: null, text: RESULTS_TEXT, takes_several: false, items: [], places: [] },
  }
  if (newest.every(({ snapshot }) => snapshot.results.length === 0)) return side
  const indexOf = indexing(side.items)
  for (const { version, snapshot } of newest) {
    const named = snapshot.results.map(({ id, name: text }, position) => {
      return [position, indexOf({ id, text })] as const
    })
    const place = { version, first_slot: null, last_slot: null }
    side.places.push({ ...place, indexes: new Map(named) })
  }
  const none = indexOf({ id: null, text: NO_RESULT })
  const places = side.places.map((place) => ({
    ...place,
    indexes: new Map([...place.indexes, [NO_RESULT_POSITION, none]]),
  }))
  return { ...side, places }
}

const questionOf = (newest: readonly AnsweredVersion[], id: string): Side | undefined => {
  const items: Item[] = []
  const indexOf = indexing(items)
  const asked = newest.flatMap(({ version, snapshot }) =>
    replyPlaces(snapshot).flatMap(({ question, slot, nb_slots }) => {
      if (question.id !== id) return []
      const indexes = new Map(
        numberedAnswers(question).map(({ number, id, text }) => [number, indexOf({ id, text })]),
      )
      const slots = { first_slot: slot + 1, last_slot: slot + nb_slots }
      return { question, place: { version, ...slots, indexes } }
    }),
  )
  const [first] = asked
  if (!first || items.length === 0) return undefined
  return {
    question_id: id,
    text: first.question.text,
    takes_several: asked.some(({ question }) => takesSeveral(question)),
    items,
    places: asked.map(({ place }) => place),
  }
}

/** Gives the index of an item in the list, which it is added to when its id is not there. */
const indexing = (items: Item[]): ((item: Item) => number) => {
  const known = new Map<string | null, number>()
  return (item) => {
    const index = known.get(item.id) ?? items.push(item) - 1
    known.set(item.id, index)
    return index
  }
}

/** The table of two sides, from what was counted of each version. */
export const crosstabOf = (
  rows: Side,
  columns: Side,
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
  return withoutNone({
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

const indexesOf = ({ places }: Side): ((version: number, number: number) => number | undefined) => {
  const versions = new Map(places.map(({ version, indexes }) => [version, indexes]))
  return (version, number) => versions.get(version)?.get(number)
}

const sideCounts = (
  { question_id, text, takes_several, items }: Side,
  counts: readonly number[],
): SideCounts => ({
  ...{ question_id, text, takes_several },
  items: items.map((item, index) => ({ ...item, count: counts[index] ?? 0 })),
})

/** « Sans résultat », which stands last, is shown when at least one participant has no result. */
const withoutNone = (table: Crosstab): Crosstab => {
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
