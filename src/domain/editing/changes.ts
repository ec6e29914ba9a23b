import { isSameContent } from '#domain/common/same-content.ts'
import type { QuizMode } from '#domain/common/vocabulary.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import { resetMode } from '#domain/questionnaire/mode.ts'
import { changedJumps } from '#domain/questionnaire/pages.ts'
import type { Answer, Draft, Question, Result, TextBlock } from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import {
  IMMEDIATE_NAMES,
  SAVED_NAMES,
  SAVED_QUIZ_NAMES,
  type SavedQuizFields,
} from './draft-fields.ts'

/** New or changed row: its id and the changed fields. */
type RowChange<Row, Names extends keyof Row> = { id: string } & Partial<Pick<Row, Names>>

/** New or changed result. */
export type SavedResult = RowChange<Result, (typeof SAVED_NAMES)['results'][number]>
/** New or changed question. */
export type SavedQuestion = RowChange<Question, (typeof SAVED_NAMES)['questions'][number]>
/** New or changed answer, with the id of its question. */
export type SavedAnswer = { question_id: string } & RowChange<
  Answer,
  (typeof SAVED_NAMES)['answers'][number]
>
/** New or changed association, identified by its answer and its result. */
export type SavedAssociation = {
  answer_id: string
  result_id: string
  weight: number
  is_checked: boolean
}
/** New or changed text block. */
export type SavedTextBlock = RowChange<TextBlock, (typeof SAVED_NAMES)['text_blocks'][number]>

/** New or changed dimension. A change holds all tiers. */
type SavedDimension = RowChange<Dimension, (typeof SAVED_NAMES)['dimensions'][number]>
/** New or changed conditional text. A change holds all conditions. */
type SavedTextVariant = RowChange<TextVariant, (typeof SAVED_NAMES)['text_variants'][number]>

/**
 * Difference between two states of a draft, by row and field (product 5.1). A save sends and stores it. `removed` holds
 * ids of all kinds of rows except associations.
 */
export type Changes = {
  quiz: Partial<SavedQuizFields>
  quiz_mode?: QuizMode
  results: SavedResult[]
  questions: SavedQuestion[]
  answers: SavedAnswer[]
  associations: SavedAssociation[]
  text_blocks: SavedTextBlock[]
  dimensions: SavedDimension[]
  text_variants: SavedTextVariant[]
  removed: string[]
}

/** Difference between equal drafts. */
export const NO_CHANGES: Changes = {
  quiz: {},
  results: [],
  questions: [],
  answers: [],
  associations: [],
  text_blocks: [],
  dimensions: [],
  text_variants: [],
  removed: [],
}

/** Returns true if there is nothing to save. */
export const hasNoChanges = ({ quiz, quiz_mode, ...lists }: Changes): boolean =>
  quiz_mode === undefined &&
  Object.keys(quiz).length === 0 &&
  Object.values(lists).every((list) => list.length === 0)

/** Returns true if visitors see a part of the changes only after a publication. */
export const needsPublication = ({ quiz, ...rows }: Changes): boolean => {
  const names = Object.keys(quiz) as (keyof SavedQuizFields)[]
  return (
    names.some((name) => !IMMEDIATE_NAMES.includes(name)) || !hasNoChanges({ ...rows, quiz: {} })
  )
}

/**
 * Returns the changes that turn `before` into `after`. Identical objects are skipped, so that the cost depends on the
 * size of the edit. Associations are unchecked, never removed, and explicit jumps are included because `applyChanges`
 * would redirect them.
 */
export const changesBetween = (before: Draft, after: Draft): Changes => {
  const results = compare(before.results, after.results)
  const questions = compare(before.questions, after.questions)
  const blocks = compare(before.text_blocks, after.text_blocks)
  const dimensions = compare(before.dimensions, after.dimensions)
  const variants = compare(before.text_variants, after.text_variants)
  const removed = [results, questions, blocks, dimensions, variants].flatMap((list) => list.removed)
  const ends = new Set(after.results.map(({ id }) => id))
  const has = (result_id: string): boolean => ends.has(result_id)
  const answers: SavedAnswer[] = []
  const associations: SavedAssociation[] = []
  for (const [old, question] of questions.changed_rows) {
    if (old?.answers === question.answers) continue
    const compared = compare(old?.answers ?? [], question.answers)
    removed.push(...compared.removed)
    for (const [known, answer] of compared.changed_rows) {
      const saved = changedFieldsOf(known, answer, SAVED_NAMES.answers)
      if (saved) answers.push({ ...saved, question_id: question.id })
      associations.push(...associationsBetween(known, answer, has))
    }
  }
  const byId = new Map(answers.map((row) => [row.id, row]))
  for (const { id, question_id, jump_to } of changedJumps(before, after)) {
    const saved = byId.get(id)
    if (saved) saved.jump_to = jump_to
    else answers.push({ id, question_id, jump_to })
  }
  return {
    quiz: changedFieldsOf(before.quiz, after.quiz, SAVED_QUIZ_NAMES, {}) ?? {},
    ...(before.quiz_mode !== after.quiz_mode && { quiz_mode: after.quiz_mode }),
    results: rows(results.changed_rows, SAVED_NAMES.results),
    questions: rows(questions.changed_rows, SAVED_NAMES.questions),
    answers,
    associations,
    text_blocks: rows(blocks.changed_rows, SAVED_NAMES.text_blocks),
    dimensions: rows(dimensions.changed_rows, SAVED_NAMES.dimensions),
    text_variants: rows(variants.changed_rows, SAVED_NAMES.text_variants),
    removed,
  }
}

/**
 * Returns the changes that turn `before` into `after` with `applySave`. If the mode changes, `applySave` resets
 * scores, associations and thresholds, so that unchanged values are included too.
 */
export const changesToSave = (before: Draft, after: Draft): Changes => {
  const isModeChanged = before.quiz_mode !== null && before.quiz_mode !== after.quiz_mode
  if (!isModeChanged) return changesBetween(before, after)
  const { quiz_mode } = after
  return { ...changesBetween({ ...resetMode(before), quiz_mode }, after), quiz_mode }
}

type RowWithId = { id: string }

/** Returns all rows of a draft by id. Ids are unique across all kinds of rows. */
export const rowsById = (draft: Draft): Map<string, RowWithId> => {
  const { results, questions, text_blocks, dimensions, text_variants } = draft
  const answers = questions.flatMap((question) => question.answers)
  const lists = [results, questions, answers, text_blocks, dimensions, text_variants]
  return new Map(lists.flat().map((row) => [row.id, row]))
}

/**
 * Returns the new or changed rows with their previous state, and the ids of removed rows. Rows are compared by
 * identity.
 */
const compare = <Row extends RowWithId>(
  before: readonly Row[],
  after: readonly Row[],
): { changed_rows: [old: Row | undefined, row: Row][]; removed: string[] } => {
  if (before === after) return { changed_rows: [], removed: [] }
  const known = new Map(before.map((row) => [row.id, row]))
  const kept = new Set(after.map(({ id }) => id))
  return {
    changed_rows: after.flatMap((row) => {
      const old = known.get(row.id)
      return old === row ? [] : [[old, row]]
    }),
    removed: before.map(({ id }) => id).filter((id) => !kept.has(id)),
  }
}

const rows = <Row extends RowWithId, Name extends keyof Row>(
  pairs: [Row | undefined, Row][],
  names: readonly Name[],
): RowChange<Row, Name>[] => pairs.flatMap(([old, row]) => changedFieldsOf(old, row, names) ?? [])

/** Returns `head`, by default the row's id, and the changed fields. Undefined if an existing row has not changed. */
const changedFieldsOf = <
  Row extends RowWithId,
  Name extends keyof Row,
  Head extends object = RowWithId,
>(
  old: Row | undefined,
  row: Row,
  names: readonly Name[],
  head?: Head,
): (Head & Partial<Pick<Row, Name>>) | undefined => {
  const changed = names.filter((name) => !old || !isSameContent(old[name], row[name]))
  if (old && changed.length === 0) return undefined
  const fields = Object.fromEntries(changed.map((name) => [name, row[name]]))
  return { ...(head ?? { id: row.id }), ...fields } as Head & Partial<Pick<Row, Name>>
}

/**
 * Returns the changed associations of an answer. `has` tells whether a result still exists; links to deleted results
 * are skipped.
 */
const associationsBetween = (
  old: Answer | undefined,
  answer: Answer,
  has: (result_id: string) => boolean,
): SavedAssociation[] => {
  if (old?.associations === answer.associations) return []
  const known = new Map(old?.associations.map((link) => [link.result_id, link]))
  const kept = new Set(answer.associations.map(({ result_id }) => result_id))
  const gone = (old?.associations ?? [])
    .filter(({ result_id, is_checked }) => is_checked && !kept.has(result_id) && has(result_id))
    .map((link) => ({ ...link, is_checked: false }))
  return [...answer.associations, ...gone]
    .filter(({ result_id, weight, is_checked }) => {
      const before = known.get(result_id)
      // A missing link equals an unchecked link.
      return before ? before.weight !== weight || before.is_checked !== is_checked : is_checked
    })
    .map(({ result_id, weight, is_checked }) => ({
      answer_id: answer.id,
      result_id,
      weight,
      is_checked,
    }))
}
