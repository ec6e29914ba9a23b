import { readNumber } from '#domain/common/numbers.ts'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { withTimeZone } from '#domain/common/time-zone-labels.ts'
import type { ParameterValues } from '#domain/questionnaire/parameters.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { OTHER, OTHER_NAME, otherAnswerText, scaleOf, takesSeveral } from '#domain/run/replies.ts'
import { replyPlaces, type StoredReplies } from '#domain/run/stored-replies.ts'
import type { AnsweredVersion } from './asked-questions.ts'

export type Cell = string | number | null
/** A line of an export: when the participant answered, then one cell for each column. */
export type ExportLine = {
  created_at: string
  cells: Cell[]
  /** Texts of the chosen answers by the place of their column; only for questions that take several answers. */
  choices: ReadonlyMap<number, string[]>
}
/** `joined`: several choices share a cell. `columns`: each choice of a question with several has a column with 1 or 0. */
export const CHOICE_LAYOUTS = ['joined', 'columns'] as const
export type ChoiceLayout = (typeof CHOICE_LAYOUTS)[number]
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
  /** True if several answers may be chosen. */
  takes_several: boolean
  /** Stored number of the choice in this column; null for a column with the whole reply. */
  choice: number | null
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
  lineOf: (response: ExportedParticipant) => ExportLine
}

/** What is stored of a participant, as far as an export shows it. */
export type ExportedParticipant = StoredReplies & {
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
export const PARTICIPANT_COLUMN_TITLES = [
  'Date',
  'Email',
  'Résultat',
  'Score',
  'Consentement',
  'Durée (secondes)',
  'À vérifier',
]

/**
 * Lays participants out as a table: PARTICIPANT_COLUMN_TITLES with dates in `time_zone`, then the questions, then the parameters.
 * Questions are those of all taken versions in the order of the newest, titled by their short name, else by their text.
 * A cell is empty without a reply, and all titles differ.
 */
export const exportTable = (
  versions: readonly AnsweredVersion[],
  {
    parameters = [],
    time_zone = DEFAULT_TIME_ZONE,
    layout = 'joined',
  }: { parameters?: readonly string[]; time_zone?: string; layout?: ChoiceLayout } = {},
): ExportTable => {
  const newest = [...versions].sort((a, b) => b.version - a.version)
  const places = new Map<string, number>()
  const day_places = new Set<number>()
  const [date = '', ...others] = PARTICIPANT_COLUMN_TITLES
  const titles = [withTimeZone(date, time_zone), ...others]
  for (const { snapshot } of newest) {
    for (const question of snapshot.questions)
      for (const { key, title } of columnTitles(question, layout)) {
        if (places.has(key)) continue
        const place = titles.length - 1
        places.set(key, place)
        if (question.type === 'date') day_places.add(place)
        titles.push(title)
      }
  }
  const first_parameter = titles.length - 1
  titles.push(...parameters)
  const taken = newest.map(({ version, snapshot }) => ({
    version,
    results: snapshot.results.map(({ name }) => name),
    columns: columnsOf(snapshot, places, layout),
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
      const choices = fill(cells, columns, response)
      for (const [rank, name] of parameters.entries())
        cells[first_parameter + rank] = response.parameters?.[name] ?? null
      return { created_at, cells, choices }
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

/** True if each choice of a question gets a column of its own. */
const isSplit = (question: SnapshotQuestion, layout: ChoiceLayout): boolean =>
  layout === 'columns' && takesSeveral(question)

/** Returns keys and titles of the columns of a question; an answer keeps its column if its text changes. */
const columnTitles = (
  question: SnapshotQuestion,
  layout: ChoiceLayout,
): { key: string; title: string }[] => {
  const { id, label, text, answers, has_other } = question
  const title = label || text
  if (!isSplit(question, layout)) return [{ key: id, title }]
  return [
    ...answers.map((answer) => ({ key: `${id} ${answer.id}`, title: `${title} : ${answer.text}` })),
    ...(has_other ? [{ key: `${id} ${OTHER}`, title: `${title} : ${OTHER_NAME}` }] : []),
  ]
}

/** Lists the columns of a version; computed once for all of its participants. */
const columnsOf = (
  { questions }: Pick<Snapshot, 'questions'>,
  places: ReadonlyMap<string, number>,
  layout: ChoiceLayout,
): ExportColumn[] =>
  replyPlaces({ questions }).flatMap(({ question, ...stored }) => {
    const column = {
      ...stored,
      answers: answersOf(question),
      is_number: question.type === 'number',
      takes_several: takesSeveral(question),
    }
    return columnTitles(question, layout).map(({ key }, rank) => ({
      ...column,
      place: places.get(key) ?? 0,
      choice: isSplit(question, layout) ? rank : null,
    }))
  })

const answersOf = (question: SnapshotQuestion): Cell[] | null => {
  if (isChoice(question)) return question.answers.map(({ text }) => text)
  if (question.type !== 'scale') return null
  return Array.from({ length: scaleOf(question).to + 1 }, (_, number) => number)
}

/** Puts each reply into its column. Returns the lists of choices by the place of their column. */
const fill = (
  cells: Cell[],
  columns: readonly ExportColumn[],
  { choices, texts }: StoredReplies,
): Map<number, string[]> => {
  const lists = new Map<number, string[]>()
  for (const column of columns) {
    const { place, slot, nb_slots, answers, text, is_number, takes_several, choice } = column
    const typed = text === null ? '' : (texts[text] ?? '')
    if (answers) {
      const numbers = choices.slice(slot, slot + nb_slots)
      cells[place] = choiceCell(column, numbers, typed)
      if (takes_several && choice === null)
        lists.set(place, chosenOf(column, numbers, typed).map(String))
    } else if (nb_slots === 0 || choices[slot] === null)
      cells[place] = is_number ? numberCell(typed) : typed
  }
  return lists
}

/** Separator of several answers in one cell; a comma would be ambiguous, because answers often hold commas. */
const ANSWER_SEPARATOR = '; '

type ChoiceColumn = Pick<ExportColumn, 'answers' | 'nb_slots' | 'text' | 'choice'>

/** Returns the texts or scale values of stored numbers; negative ones mean no reply. « Autre » has the typed text. */
const chosenOf = (
  { answers, text }: Pick<ChoiceColumn, 'answers' | 'text'>,
  numbers: readonly (number | null)[],
  typed: string,
): (string | number)[] =>
  numbers.flatMap((number) => {
    if (number === null || number < 0) return []
    return answers?.[number] ?? (text === null ? '' : otherAnswerText(typed))
  })

/**
 * Returns the cell of a question with answers from its stored numbers; null without a reply. The column of a single
 * choice has 1 or 0; the column of « Autre » has the typed text or 0.
 */
export const choiceCell = (
  column: ChoiceColumn,
  numbers: readonly (number | null)[],
  typed: string,
): Cell => {
  const { answers, nb_slots, choice } = column
  if (choice !== null) {
    if ((numbers[0] ?? -1) < 0) return null
    if (!numbers.includes(choice)) return 0
    return choice === answers?.length ? typed : 1
  }
  const chosen = chosenOf(column, numbers, typed)
  return nb_slots === 1 ? (chosen[0] ?? null) : chosen.join(ANSWER_SEPARATOR) || null
}
