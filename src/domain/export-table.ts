import { readNumber } from './numbers.ts'
import { isChoice } from './quiz.ts'
import type { Snapshot } from './snapshot.ts'
import type { TakenVersion } from './statistics.ts'
import type { StoredReplies } from './stored-replies.ts'

export type Cell = string | number | null
/** A line of an export: when the participant answered, then one cell a column. */
export type ExportLine = { created_at: string; cells: Cell[] }
/** Where the reply to one question of a version comes from, and the column that it goes to. */
type ExportColumn = {
  /** Among the columns after the date, from 0. */
  place: number
  /** Rank among the version's choices, or among its texts. */
  index: number
  /** The texts of a multiple-choice question's answers; null of an open one. */
  answers: string[] | null
  is_number: boolean
}
/** How the participants of one version are read. */
export type ExportVersion = { version: number; results: string[]; columns: ExportColumn[] }
export type ExportTable = {
  titles: string[]
  /** Newest first. */
  versions: ExportVersion[]
  lineOf: (response: Exported) => ExportLine
}

/** What is stored of a participant, as far as an export shows it. */
export type Exported = StoredReplies & {
  created_at: string
  version: number
  email: string | null
  result_position: number | null
  score: number | null
  consent_version: number | null
  elapsed_seconds: number | null
  is_suspect: boolean
}

/** What comes before the questions. */
export const FIRST_TITLES = [
  'Date',
  'Email',
  'Résultat',
  'Score',
  'Consentement',
  'Durée (secondes)',
  'À vérifier',
]

/**
 * Participants as a table: date, email, result, score, consent (empty where it was not asked for), duration and
 * whether to check them, then a column for each question of the versions that were taken, in the order of
 * the newest one and in its words. A question that a version did not have is an empty cell; a number is a
 * number. No two columns have one name.
 */
export const exportTable = (versions: readonly TakenVersion[]): ExportTable => {
  const newest = [...versions].sort((a, b) => b.version - a.version)
  const places = new Map<string, number>()
  const titles = [...FIRST_TITLES]
  for (const { snapshot } of newest) {
    for (const { id, text } of snapshot.questions) {
      if (places.has(id)) continue
      places.set(id, titles.length - 1)
      titles.push(text)
    }
  }
  const taken = newest.map(({ version, snapshot }) => ({
    version,
    results: snapshot.results.map(({ name }) => name),
    columns: columnsOf(snapshot, places),
  }))
  const known = new Map(taken.map((one) => [one.version, one]))
  return {
    titles: distinctTitles(titles),
    versions: taken,
    lineOf: (response) => {
      const { created_at, email, result_position, score, consent_version, version } = response
      const { elapsed_seconds, is_suspect } = response
      const cells: Cell[] = Array(titles.length - 1).fill(null)
      const { results, columns } = known.get(version) ?? { results: [], columns: [] }
      const result = results[result_position ?? -1] ?? null
      const firstCells = [
        email,
        result,
        score,
        consentWord(consent_version),
        elapsed_seconds,
        yesOrNo(is_suspect),
      ]
      cells.splice(0, firstCells.length, ...firstCells)
      fill(cells, columns, response)
      return { created_at, cells }
    },
  }
}

export const YES = 'Oui'
export const yesOrNo = (is_true: boolean): string => (is_true ? YES : 'Non')

/** Whether they agreed to what they were asked; null: it was not asked. */
const consentWord = (consent_version: number | null): string | null =>
  consent_version === null ? null : yesOrNo(consent_version > 0)

/** Titles of which a repeated one is numbered: « Ville », « Ville (2) ». Programs tell no capitals apart. */
const distinctTitles = (titles: readonly string[]): string[] => {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return titles.map((title) => {
    let count = counts.get(columnKey(title)) ?? 1
    let name = title
    while (taken.has(columnKey(name))) name = `${title} (${++count})`
    taken.add(columnKey(name))
    counts.set(columnKey(title), count)
    return name
  })
}

/** What a program compares names of columns by; an apostrophe before one is not always part of it. */
const columnKey = (title: string): string => title.replace(/^'+/, '').trim().toLowerCase()

/** What was typed to a number question: the number, or the text that is none. */
export const numberCell = (given: string): string | number => readNumber(given) ?? given

/** How a version's replies are read, found out once for all of its participants. */
const columnsOf = (
  { questions }: Pick<Snapshot, 'questions'>,
  places: ReadonlyMap<string, number>,
): ExportColumn[] => {
  let choice = 0
  let text = 0
  return questions.map(({ id, type, answers }) => {
    const is_choice = isChoice({ type })
    return {
      place: places.get(id) ?? 0,
      index: is_choice ? choice++ : text++,
      answers: is_choice ? answers.map((answer) => answer.text) : null,
      is_number: type === 'number',
    }
  })
}

/** Puts what was given into its column, question by question. */
const fill = (
  cells: Cell[],
  columns: readonly ExportColumn[],
  { choices, texts }: StoredReplies,
): void => {
  for (const { place, index, answers, is_number } of columns) {
    const given = (answers ? answers[choices[index] ?? -1] : texts[index]) ?? ''
    cells[place] = is_number ? numberCell(given) : given
  }
}
