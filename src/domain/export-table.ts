import type { TakenVersion } from './asked-questions.ts'
import { readNumber } from './numbers.ts'
import type { ParameterValues } from './parameters.ts'
import { isChoice } from './quiz.ts'
import { otherWords, scaleOf } from './replies.ts'
import type { Snapshot, SnapshotQuestion } from './snapshot.ts'
import { replyPlaces, type StoredReplies } from './stored-replies.ts'
import { DEFAULT_TIME_ZONE } from './time-zone.ts'
import { withTimeZone } from './time-zone-labels.ts'

export type Cell = string | number | null
/** A line of an export: when the participant answered, then one cell a column. */
export type ExportLine = { created_at: string; cells: Cell[] }
/** Where the reply to one question of a version comes from, and the column that it goes to. */
export type ExportColumn = {
  /** Among the columns after the date, from 0. */
  place: number
  /** The first slot among the version's choices, and how many there are. */
  slot: number
  nb_slots: number
  /** What each stored number is: the text of an answer, or a number of a scale; null of an open question. */
  answers: Cell[] | null
  /** Rank of its text among the version's texts; null without one. */
  text: number | null
  is_number: boolean
}
/** How the participants of one version are read. */
export type ExportVersion = { version: number; results: string[]; columns: ExportColumn[] }
export type ExportTable = {
  titles: string[]
  /** The columns after the date, from 0, that hold days as `2026-03-09`. */
  day_places: ReadonlySet<number>
  /** Newest first. */
  versions: ExportVersion[]
  /** The time zone of the dates. */
  time_zone: string
  /** The names of the parameters that the last columns hold. */
  parameters: readonly string[]
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
  parameters: ParameterValues | null
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
 * Returns participants as a table: date in `time_zone`, email, result, score, consent, duration and whether to check them,
 * then a column for each question of the taken versions, in the order of the newest one, then one for each of these
 * parameters. A column has the short name of its question or else its words, and no two have one name. A question that
 * was not asked or left blank is an empty cell; several answers are one cell.
 */
export const exportTable = (
  versions: readonly TakenVersion[],
  {
    parameters = [],
    time_zone = DEFAULT_TIME_ZONE,
  }: { parameters?: readonly string[]; time_zone?: string } = {},
): ExportTable => {
  const newest = [...versions].sort((a, b) => b.version - a.version)
  const places = new Map<string, number>()
  const day_places = new Set<number>()
  const [date = '', ...others] = FIRST_TITLES
  const titles = [withTimeZone(date, time_zone), ...others]
  for (const { snapshot } of newest) {
    for (const { id, type, label, text } of snapshot.questions) {
      if (places.has(id)) continue
      const place = titles.length - 1
      places.set(id, place)
      if (type === 'date') day_places.add(place)
      titles.push(label || text)
    }
  }
  const first_parameter = titles.length - 1
  titles.push(...parameters)
  const taken = newest.map(({ version, snapshot }) => ({
    version,
    results: snapshot.results.map(({ name }) => name),
    columns: columnsOf(snapshot, places),
  }))
  const known = new Map(taken.map((one) => [one.version, one]))
  return {
    titles: distinctTitles(titles),
    day_places,
    time_zone,
    versions: taken,
    parameters,
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
      for (const [rank, name] of parameters.entries())
        cells[first_parameter + rank] = response.parameters?.[name] ?? null
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
): ExportColumn[] =>
  replyPlaces({ questions }).map(({ question, ...place }) => ({
    ...place,
    place: places.get(question.id) ?? 0,
    answers: answersOf(question),
    is_number: question.type === 'number',
  }))

const answersOf = (question: SnapshotQuestion): Cell[] | null => {
  if (isChoice(question)) return question.answers.map(({ text }) => text)
  if (question.type !== 'scale') return null
  return Array.from({ length: scaleOf(question).to + 1 }, (_, number) => number)
}

/** Puts what was given into its column, question by question. */
const fill = (
  cells: Cell[],
  columns: readonly ExportColumn[],
  { choices, texts }: StoredReplies,
): void => {
  for (const column of columns) {
    const { place, slot, nb_slots, answers, text, is_number } = column
    const typed = text === null ? '' : (texts[text] ?? '')
    if (answers) cells[place] = chosenCell(column, choices.slice(slot, slot + nb_slots), typed)
    else if (nb_slots === 0 || choices[slot] === null)
      cells[place] = is_number ? numberCell(typed) : typed
  }
}

/** Commas stand within answers, semicolons hardly ever. */
const BETWEEN_ANSWERS = '; '

/**
 * The cell of the numbers stored for a choice, « Autre » with the text that was typed; null when there is none.
 */
export const chosenCell = (
  { answers, nb_slots, text }: Pick<ExportColumn, 'answers' | 'nb_slots' | 'text'>,
  numbers: readonly (number | null)[],
  typed: string,
): Cell => {
  const chosen = numbers.flatMap((number) => {
    if (number === null || number < 0) return []
    return answers?.[number] ?? (text === null ? '' : otherWords(typed))
  })
  return nb_slots === 1 ? (chosen[0] ?? null) : chosen.join(BETWEEN_ANSWERS) || null
}
