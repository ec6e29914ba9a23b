import { readNumber } from '#domain/common/read-number.ts'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { withTimeZone } from '#domain/common/time-zone-labels.ts'
import type { QuizType } from '#domain/common/vocabulary.ts'
import type { SnapshotDimension } from '#domain/questionnaire/dimensions.ts'
import { questionName } from '#domain/questionnaire/grids/question-names.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import {
  ANSWER_SEPARATOR,
  canChooseSeveral,
  OTHER,
  OTHER_NAME,
  otherAnswerText,
  scaleOf,
} from '#domain/run/replies.ts'
import {
  readDimensions,
  type WrittenDimension,
  writeDimensions,
} from '#domain/run/stored-dimensions.ts'
import { replyPlaces, type StoredReplies } from '#domain/run/stored-replies.ts'
import type { AnsweredVersion } from './asked-questions.ts'
import {
  type ExportedParticipant,
  type ParticipantColumn,
  participantCell,
  participantColumns,
  participantColumnTitles,
  percentOf,
} from './participant-columns.ts'

/** Value of a cell; null is an empty cell. */
export type Cell = string | number | null
/** Row of an export: time of the answer, then one cell for each column. */
export type ExportLine = {
  created_at: string
  cells: Cell[]
  /** Texts of the chosen answers by column place, only for questions with several answers. */
  choices: ReadonlyMap<number, string[]>
  /** Dimensions that the participant was shown. */
  dimensions: WrittenDimension[]
}
/** Layouts of several choices: `joined` puts them into one cell, `columns` gives each choice a column with 1 or 0. */
export const CHOICE_LAYOUTS = ['joined', 'columns'] as const
/** Layout of several choices. */
export type ChoiceLayout = (typeof CHOICE_LAYOUTS)[number]
/** Source of the reply to one question of a version, and its column. */
type ExportColumn = {
  /** Index of the column after the date, from 0. */
  place: number
  /** First slot of the question, and the number of its slots. */
  slot: number
  nb_slots: number
  /** Values of the stored numbers: texts of answers or scale numbers; null for an open question. */
  answers: Cell[] | null
  /** Index of the text; null without a text. */
  text: number | null
  is_number: boolean
  /** True if several answers can be chosen. */
  takes_several: boolean
  /** Stored number of the choice in this column; null if the column has the whole reply. */
  choice: number | null
}
/** Columns of one version. */
type ExportVersion = {
  version: number
  results: string[]
  /** Dimensions in the order of the stored percents. */
  dimensions: readonly SnapshotDimension[]
  columns: ExportColumn[]
}
/** Table of an export: titles, columns, and a function that returns the row of a participant. */
export type ExportTable = {
  titles: string[]
  /** Columns after the date and before the questions. */
  participant_columns: readonly ParticipantColumn[]
  /** Indexes of the columns after the date that hold days such as `2026-03-09`. */
  day_places: ReadonlySet<number>
  /** Time zone of the dates. */
  time_zone: string
  /** Names of the parameters in the last columns. */
  parameters: readonly string[]
  lineOf: (response: ExportedParticipant & { participant_uuid?: string }) => ExportLine
}

/**
 * Returns the table of an export. Columns are those of the participant with dates in `time_zone`, the questions of all
 * versions in the order of the newest, and the parameters. All titles differ, and a cell without a reply is empty.
 */
export const exportTable = (
  versions: readonly AnsweredVersion[],
  {
    type = 'quiz',
    parameters = [],
    time_zone = DEFAULT_TIME_ZONE,
    layout = 'joined',
    pageUrl,
    has_measure = false,
    has_confirmations = false,
  }: {
    type?: QuizType
    parameters?: readonly string[]
    time_zone?: string
    layout?: ChoiceLayout
    /** Returns the address of the page of a participant; absent without a column of pages. */
    pageUrl?: ((participant_uuid: string) => string) | undefined
    /** True if participants were asked for the second consent. */
    has_measure?: boolean
    /** True if participants were asked to confirm their address. */
    has_confirmations?: boolean
  } = {},
): ExportTable => {
  const newest = [...versions].sort((a, b) => b.version - a.version)
  const places = new Map<string, number>()
  const day_places = new Set<number>()
  const participant_columns = participantColumns(versions, type, {
    has_pages: pageUrl !== undefined,
    has_measure,
    has_confirmations,
  })
  const titles = [
    withTimeZone('Date', time_zone),
    ...participantColumnTitles(participant_columns, versions),
  ]
  for (const { snapshot } of newest) {
    for (const question of snapshot.questions)
      for (const { key, title } of columnTitles(snapshot.questions, question, layout)) {
        if (places.has(key)) continue
        const place = titles.length - 1
        places.set(key, place)
        if (question.type === 'date') day_places.add(place)
        titles.push(title)
      }
  }
  const first_parameter = titles.length - 1
  titles.push(...parameters)
  const version_columns = newest.map(({ version, snapshot }) => ({
    version,
    results: snapshot.results.map(({ name }) => name),
    dimensions: snapshot.dimensions ?? [],
    columns: columnsOf(snapshot, places, layout),
  }))
  const known = new Map(version_columns.map((columns) => [columns.version, columns]))
  const has_percents = participant_columns.includes('percent')
  const snapshots = new Map(newest.map(({ version, snapshot }) => [version, snapshot]))
  return {
    titles: distinctTitles(titles),
    participant_columns,
    day_places,
    time_zone,
    parameters,
    lineOf: (stored) => {
      const { created_at, version, participant_uuid = '' } = stored
      const snapshot = snapshots.get(version)
      const response = {
        ...stored,
        ...(pageUrl && { result_url: pageUrl(participant_uuid) }),
        ...(has_percents && snapshot && { percent: percentOf(snapshot, stored) }),
      }
      const cells: Cell[] = Array(titles.length - 1).fill(null)
      const columns = known.get(version) ?? NO_COLUMNS
      for (const [place, column] of participant_columns.entries())
        cells[place] = participantCell(column, response, { ...columns, time_zone })
      const choices = fillCells(cells, columns.columns, response)
      const dimensions = readDimensions(snapshot ?? {}, response.dimension_percents)
      for (const [rank, name] of parameters.entries())
        cells[first_parameter + rank] = response.parameters?.[name] ?? null
      return { created_at, cells, choices, dimensions: writeDimensions(dimensions) }
    },
  }
}

/** Columns of an unknown version. */
const NO_COLUMNS: Omit<ExportVersion, 'version'> = { results: [], dimensions: [], columns: [] }

/** Numbers repeated titles: « Ville », « Ville (2) ». Case is ignored, because many programs ignore it. */
const distinctTitles = (titles: readonly string[]): string[] => {
  const used_titles = new Set<string>()
  const counts = new Map<string, number>()
  return titles.map((title) => {
    let count = counts.get(columnKey(title)) ?? 1
    let name = title
    while (used_titles.has(columnKey(name))) name = `${title} (${++count})`
    used_titles.add(columnKey(name))
    counts.set(columnKey(title), count)
    return name
  })
}

/** Returns the part of a title that programs compare; some drop an apostrophe at the beginning. */
const columnKey = (title: string): string => title.replace(/^'+/, '').trim().toLowerCase()

/** Returns the typed number, or the text if it is not a number. */
const numberCell = (given: string): string | number => readNumber(given) ?? given

/** Returns true if each choice of a question has its own column. */
const isSplit = (question: SnapshotQuestion, layout: ChoiceLayout): boolean =>
  layout === 'columns' && canChooseSeveral(question)

/**
 * Returns keys and titles of the columns of a question. Keys are ids, so that an answer keeps its column if its text
 * changes.
 */
const columnTitles = (
  questions: readonly SnapshotQuestion[],
  question: SnapshotQuestion,
  layout: ChoiceLayout,
): { key: string; title: string }[] => {
  const { id, answers, has_other } = question
  const title = questionName(questions, question)
  if (!isSplit(question, layout)) return [{ key: id, title }]
  return [
    ...answers.map((answer) => ({ key: `${id} ${answer.id}`, title: `${title} : ${answer.text}` })),
    ...(has_other ? [{ key: `${id} ${OTHER}`, title: `${title} : ${OTHER_NAME}` }] : []),
  ]
}

/** Returns the columns of a version, computed once for all its participants. */
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
      takes_several: canChooseSeveral(question),
    }
    return columnTitles(questions, question, layout).map(({ key }, rank) => ({
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

/** Writes each reply into its column, and returns the lists of choices by column place. */
const fillCells = (
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
        lists.set(place, answerTextsOf(column, numbers, typed).map(String))
    } else if (nb_slots === 0 || choices[slot] === null)
      cells[place] = is_number ? numberCell(typed) : typed
  }
  return lists
}

type ChoiceColumn = Pick<ExportColumn, 'answers' | 'nb_slots' | 'text' | 'choice'>

/**
 * Returns the texts or scale numbers of stored numbers; negative numbers mean no reply. « Autre » has the typed text.
 */
const answerTextsOf = (
  { answers, text }: Pick<ChoiceColumn, 'answers' | 'text'>,
  numbers: readonly (number | null)[],
  typed: string,
): (string | number)[] =>
  numbers.flatMap((number) => {
    if (number === null || number < 0) return []
    return answers?.[number] ?? (text === null ? '' : otherAnswerText(typed))
  })

/**
 * Returns the cell of a question with answers; null without a reply. The column of a single choice has 1 or 0, and
 * the column of « Autre » has the typed text or 0.
 */
const choiceCell = (
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
  const chosen = answerTextsOf(column, numbers, typed)
  return nb_slots === 1 ? (chosen[0] ?? null) : chosen.join(ANSWER_SEPARATOR) || null
}
