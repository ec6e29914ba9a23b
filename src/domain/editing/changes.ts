import type { QuizMode } from '#domain/common/vocabulary.ts'
import { changedJumps } from '#domain/questionnaire/jumps.ts'
import { resetMode } from '#domain/questionnaire/mode.ts'
import {
  ANSWER_DEFAULTS,
  type Answer,
  type Draft,
  PAGE_DEFAULTS,
  QUESTION_DEFAULTS,
  type Question,
  type Quiz,
  type QuizColors,
  type QuizPage,
  type QuizTies,
  type Result,
  type TextBlock,
  TIE_DEFAULTS,
} from '#domain/questionnaire/quiz.ts'

/** A row of a draft that is new or changed: its id and the fields that differ. */
type Saved<Row, Names extends keyof Row> = { id: string } & Partial<Pick<Row, Names>>

export type SavedResult = Saved<Result, (typeof RESULT_FIELDS)[number]>
export type SavedQuestion = Saved<Question, (typeof QUESTION_FIELDS)[number]>
export type SavedAnswer = { question_id: string } & Saved<Answer, (typeof ANSWER_FIELDS)[number]>
export type SavedAssociation = {
  answer_id: string
  result_id: string
  weight: number
  is_checked: boolean
}
export type SavedTextBlock = Saved<TextBlock, 'content' | 'global_position' | 'page_number'>

/** What a creator edits of the quiz itself, beside its content. */
export type QuizFields = Pick<Quiz, 'name' | 'type' | 'consent_mode' | 'consent_text'> &
  QuizColors &
  QuizPage &
  QuizTies

/**
 * The difference between two states of a draft, row by row and field by field (spec §4 « Autosave »):
 * what a save sends and writes. `removed` names results, questions, answers and text blocks alike.
 */
export type Changes = {
  quiz: Partial<QuizFields>
  quiz_mode?: QuizMode
  results: SavedResult[]
  questions: SavedQuestion[]
  answers: SavedAnswer[]
  associations: SavedAssociation[]
  text_blocks: SavedTextBlock[]
  removed: string[]
}

const PAGE_FIELDS = Object.keys(PAGE_DEFAULTS) as (keyof QuizPage)[]
const TIE_FIELDS = Object.keys(TIE_DEFAULTS) as (keyof QuizTies)[]
export const QUIZ_FIELDS: readonly (keyof QuizFields)[] = [
  'name',
  'type',
  'bg_color',
  'text_color',
  'button_color',
  'button_text_color',
  'accent_color',
  'consent_mode',
  'consent_text',
  ...PAGE_FIELDS,
  ...TIE_FIELDS,
]
/** What a creator writes of each, beside its place: what editings are merged by. */
export const RESULT_CONTENT = [
  'name',
  'description',
  'min_score',
  'max_score',
  'image_id',
  'image_alt',
  'button_text',
  'button_url',
  'redirect_url',
] as const satisfies (keyof Result)[]
export const QUESTION_CONTENT = [
  'text',
  ...(Object.keys(QUESTION_DEFAULTS) as (keyof typeof QUESTION_DEFAULTS)[]),
] as const satisfies (keyof Question)[]
export const ANSWER_CONTENT = [
  'text',
  'score',
  ...(Object.keys(ANSWER_DEFAULTS) as (keyof typeof ANSWER_DEFAULTS)[]),
] as const satisfies (keyof Answer)[]
const RESULT_FIELDS = [...RESULT_CONTENT, 'priority_order'] as const
const QUESTION_FIELDS = [...QUESTION_CONTENT, 'type', 'global_position', 'page_number'] as const
const ANSWER_FIELDS = [...ANSWER_CONTENT, 'position'] as const
const TEXT_BLOCK_FIELDS = ['content', 'global_position', 'page_number'] as const

/** What lies between a draft and itself. */
export const NO_CHANGES: Changes = {
  quiz: {},
  results: [],
  questions: [],
  answers: [],
  associations: [],
  text_blocks: [],
  removed: [],
}

/** True when there is nothing to save. */
export const isEmpty = ({ quiz, quiz_mode, ...lists }: Changes): boolean =>
  quiz_mode === undefined &&
  Object.keys(quiz).length === 0 &&
  Object.values(lists).every((list) => list.length === 0)

/**
 * What makes `before` into `after`. Parts that are the same object are not looked into, so that the
 * difference of two states of one editing costs what was edited. An association is never removed: it is
 * unticked, or goes with its answer or its result. A jump is said as well where pages have moved and it has not:
 * `applyChanges` would keep it on its page.
 */
export const changesBetween = (before: Draft, after: Draft): Changes => {
  const results = compare(before.results, after.results)
  const questions = compare(before.questions, after.questions)
  const blocks = compare(before.text_blocks, after.text_blocks)
  const removed = [...results.removed, ...questions.removed, ...blocks.removed]
  const ends = new Set(after.results.map(({ id }) => id))
  const has = (result_id: string): boolean => ends.has(result_id)
  const answers: SavedAnswer[] = []
  const associations: SavedAssociation[] = []
  for (const [old, question] of questions.differing) {
    if (old?.answers === question.answers) continue
    const compared = compare(old?.answers ?? [], question.answers)
    removed.push(...compared.removed)
    for (const [known, answer] of compared.differing) {
      const saved = differing(known, answer, ANSWER_FIELDS)
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
    quiz: differing(before.quiz, after.quiz, QUIZ_FIELDS, {}) ?? {},
    ...(before.quiz_mode !== after.quiz_mode && { quiz_mode: after.quiz_mode }),
    results: rows(results.differing, RESULT_FIELDS),
    questions: rows(questions.differing, QUESTION_FIELDS),
    answers,
    associations,
    text_blocks: rows(blocks.differing, TEXT_BLOCK_FIELDS),
    removed,
  }
}

/**
 * The same for `applySave`, which has a mode that is given up take its scores, links and bounds along: those that are in
 * both drafts are said as well.
 */
export const changesToSave = (before: Draft, after: Draft): Changes => {
  const isGivenUp = before.quiz_mode !== null && before.quiz_mode !== after.quiz_mode
  if (!isGivenUp) return changesBetween(before, after)
  const { quiz_mode } = after
  return { ...changesBetween({ ...resetMode(before), quiz_mode }, after), quiz_mode }
}

type Identified = { id: string }

/** All rows of a draft by their ids, which are unique across results, questions, answers and text blocks. */
export const rowsById = ({ results, questions, text_blocks }: Draft): Map<string, Identified> =>
  new Map(
    [...results, ...questions, ...questions.flatMap(({ answers }) => answers), ...text_blocks].map(
      (row) => [row.id, row],
    ),
  )

/** The rows of `after` that are not the very same in `before`, with what they were; and those gone. */
const compare = <Row extends Identified>(
  before: readonly Row[],
  after: readonly Row[],
): { differing: [old: Row | undefined, row: Row][]; removed: string[] } => {
  if (before === after) return { differing: [], removed: [] }
  const known = new Map(before.map((row) => [row.id, row]))
  const kept = new Set(after.map(({ id }) => id))
  return {
    differing: after.flatMap((row) => {
      const old = known.get(row.id)
      return old === row ? [] : [[old, row]]
    }),
    removed: before.map(({ id }) => id).filter((id) => !kept.has(id)),
  }
}

const rows = <Row extends Identified, Name extends keyof Row>(
  pairs: [Row | undefined, Row][],
  names: readonly Name[],
): Saved<Row, Name>[] => pairs.flatMap(([old, row]) => differing(old, row, names) ?? [])

/** The fields that differ beside `head`, by default the row's id; undefined when a known row has none. */
const differing = <
  Row extends Identified,
  Name extends keyof Row,
  Head extends object = Identified,
>(
  old: Row | undefined,
  row: Row,
  names: readonly Name[],
  head?: Head,
): (Head & Partial<Pick<Row, Name>>) | undefined => {
  const changed = names.filter((name) => !old || old[name] !== row[name])
  if (old && changed.length === 0) return undefined
  const fields = Object.fromEntries(changed.map((name) => [name, row[name]]))
  return { ...(head ?? { id: row.id }), ...fields } as Head & Partial<Pick<Row, Name>>
}

/** `has` tells the results that are there: links to others went with them. */
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
      // A link that is not there counts as one that is not ticked.
      return before ? before.weight !== weight || before.is_checked !== is_checked : is_checked
    })
    .map(({ result_id, weight, is_checked }) => ({
      answer_id: answer.id,
      result_id,
      weight,
      is_checked,
    }))
}
