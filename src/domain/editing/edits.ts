import {
  type Content,
  insertItem,
  moveItem,
  removeItem,
  renumber,
} from '#domain/questionnaire/arrange.ts'
import { applyDefaults, type RowInput } from '#domain/questionnaire/defaults.ts'
import { preserveJumps } from '#domain/questionnaire/jumps.ts'
import { resetMode } from '#domain/questionnaire/mode.ts'
import { itemsInOrder, placeOf } from '#domain/questionnaire/pages.ts'
import {
  ANSWER_DEFAULTS,
  type Answer,
  type AnswerOptions,
  type Draft,
  ENDING_DEFAULTS,
  QUESTION_DEFAULTS,
  type Question,
  type Result,
  type ScoreThreshold,
} from '#domain/questionnaire/quiz.ts'
import { applyChanges } from './apply-changes.ts'
import type { Changes, QUESTION_CONTENT } from './changes.ts'
import { checkChanges, RefusedEdit, refuseUnlessChoice, unknownResultError } from './edit-rules.ts'

/**
 * What each writing call makes of a draft (spec §7), from the autosave's changes to a single answer. The
 * result is stored as its difference from what it was made of.
 */

/** The draft after an autosave; the score or the profile mode given up takes what belongs to it along. */
export const applySave = (draft: Draft, changes: Changes): Draft => {
  const { quiz_mode } = draft
  const isReset = quiz_mode && changes.quiz_mode !== undefined && changes.quiz_mode !== quiz_mode
  const after = applyChanges(isReset ? resetMode(draft) : draft, changes)
  checkChanges(changes, draft, after)
  return after
}

export type AnswerInput = RowInput<Answer, AnswerOptions>
export type QuestionInput = RowInput<Omit<Question, 'answers'>, typeof QUESTION_DEFAULTS> & {
  answers: AnswerInput[]
}

const completeAnswers = (answers: readonly AnswerInput[], before: readonly Answer[]): Answer[] => {
  const known = new Map(before.map((answer) => [answer.id, answer]))
  return answers.map((answer) =>
    applyDefaults<Answer, AnswerOptions>(answer, known.get(answer.id), ANSWER_DEFAULTS),
  )
}

const completeQuestion = (question: QuestionInput, before?: Question): Question => {
  const answers = completeAnswers(question.answers, before?.answers ?? [])
  return applyDefaults<Question, typeof QUESTION_DEFAULTS>(
    { ...question, answers },
    before,
    QUESTION_DEFAULTS,
  )
}

/**
 * With other questions, blocks and bounds; results that `thresholds` does not name keep theirs, and jumps that the
 * call leaves out stay on their pages.
 */
export const replaceContent = (
  draft: Draft,
  given: Pick<Content, 'text_blocks'> & { questions: readonly QuestionInput[] },
  thresholds: Readonly<Record<string, ScoreThreshold>>,
): Draft => {
  const known = new Set(draft.results.map(({ id }) => id))
  const stranger = Object.keys(thresholds).find((id) => !known.has(id))
  if (stranger) throw unknownResultError(stranger)
  const results = draft.results.map((result) => ({ ...result, ...thresholds[result.id] }))
  const before = new Map(draft.questions.map((question) => [question.id, question]))
  const questions = given.questions.map((question) =>
    completeQuestion(question, before.get(question.id)),
  )
  const content = renumber({ ...given, questions })
  const answers = given.questions.flatMap((question) => question.answers)
  const said = new Set(answers.flatMap(({ id, jump_to }) => (jump_to === undefined ? [] : id)))
  const kept = preserveJumps(draft, content, ({ id }) => said.has(id))
  return { ...draft, ...content, questions: kept, results }
}

const RESULT_DEFAULTS = { ...ENDING_DEFAULTS, min_score: null, max_score: null }
type NewResult = RowInput<Omit<Result, 'quiz_id' | 'updated_at'>, typeof RESULT_DEFAULTS & Unranked>
type Unranked = Pick<Result, 'priority_order'>

/** With one more result, last unless its order says otherwise. */
export const addResult = (draft: Draft, { priority_order, ...result }: NewResult): Draft => {
  const last = Math.max(-1, ...draft.results.map((other) => other.priority_order))
  const order = priority_order ?? last + 1
  const added = resultIn(draft, { ...result, priority_order: order })
  return { ...draft, results: [...draft.results, added] }
}

/** With these results alone, in this order unless theirs says otherwise; a bound not given stays. */
export const replaceResults = (draft: Draft, list: readonly NewResult[]): Draft =>
  withoutOtherResults(
    draft,
    list.map((result, index) =>
      resultIn(draft, { ...result, priority_order: result.priority_order ?? index }),
    ),
  )

/** With fields of one result changed, those that are given. */
export const changeResult = (
  draft: Draft,
  result_id: string,
  fields: { [Name in keyof Result]?: Result[Name] | undefined },
): Draft => {
  const before = existing(draft.results, result_id, 'Résultat introuvable')
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const changed: Result = { ...before, ...Object.fromEntries(given) }
  return { ...draft, results: draft.results.map((other) => (other === before ? changed : other)) }
}

/** Without a result and the links to it. */
export const removeResult = (draft: Draft, result_id: string): Draft => {
  const result = existing(draft.results, result_id, 'Résultat introuvable')
  return withoutOtherResults(
    draft,
    draft.results.filter((other) => other !== result),
  )
}

const resultIn = ({ quiz, results }: Draft, result: NewResult & Unranked): Result => {
  const before = results.find(({ id }) => id === result.id)
  const given = { ...result, quiz_id: quiz.id, updated_at: before?.updated_at ?? '' }
  return applyDefaults<Result, typeof RESULT_DEFAULTS>(given, before, RESULT_DEFAULTS)
}

const withoutOtherResults = (draft: Draft, results: Result[]): Draft => {
  const kept = new Set(results.map(({ id }) => id))
  const questions = draft.questions.map((question) => ({
    ...question,
    answers: question.answers.map((answer) => ({
      ...answer,
      associations: answer.associations.filter(({ result_id }) => kept.has(result_id)),
    })),
  }))
  return { ...draft, questions, results }
}

/** Where an item wants to stand: a page, and a rank among all items; last on its page without one. */
type Place = { page_number: number; global_position?: number | undefined }

/** With one more question. */
export const addQuestion = (draft: Draft, given: QuestionInput, place: Place): Draft => {
  const question = completeQuestion(given)
  return { ...draft, ...insertItem(draft, { kind: 'question', question }, onPage(draft, place)) }
}

/** With other fields of a question, those that are given, another place, or both. */
export const changeQuestion = (
  draft: Draft,
  question_id: string,
  { page_number, global_position, ...fields }: QuestionFields & Partial<Place>,
): Draft => {
  const before = existing(draft.questions, question_id, 'Question introuvable')
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const changed = withQuestion(draft, { ...before, ...Object.fromEntries(given) })
  if (page_number === undefined && global_position === undefined) return changed
  const place = { page_number: page_number ?? before.page_number, global_position }
  const to = onPage(removeItem(draft, question_id), place)
  return { ...changed, ...moveItem(changed, question_id, to) }
}

type QuestionFields = {
  [Name in (typeof QUESTION_CONTENT)[number]]?: Question[Name] | undefined
}

/** Without a question and its answers. */
export const removeQuestion = (draft: Draft, question_id: string): Draft => {
  existing(draft.questions, question_id, 'Question introuvable')
  return { ...draft, ...removeItem(draft, question_id) }
}

/** With one more answer to a question, last without a position. */
export const addAnswer = (draft: Draft, answer: AnswerInput, position?: number): Draft => {
  const question = existing(draft.questions, answer.question_id, 'Question introuvable')
  const last = question.answers.length
  const answers = (question.answers as AnswerInput[]).toSpliced(position ?? last, 0, answer)
  return replaceAnswers(draft, question.id, answers)
}

/** With these answers to a question, in this order. */
export const replaceAnswers = (
  draft: Draft,
  question_id: string,
  given: readonly AnswerInput[],
): Draft => {
  const question = existing(draft.questions, question_id, 'Question introuvable')
  refuseUnlessChoice(question)
  const answers = completeAnswers(given, question.answers)
  const ranked = answers.map((answer, position) => ({ ...answer, position }))
  return withQuestion(draft, { ...question, answers: ranked })
}

/** Without one answer to a question. */
export const removeAnswer = (draft: Draft, question_id: string, answer_id: string): Draft => {
  const { answers } = existing(draft.questions, question_id, 'Question introuvable')
  const answer = existing(answers, answer_id, 'Réponse introuvable')
  return replaceAnswers(
    draft,
    question_id,
    answers.filter((other) => other !== answer),
  )
}

const existing = <Row extends { id: string }>(
  rows: readonly Row[],
  id: string,
  message: string,
): Row => {
  const row = rows.find((candidate) => candidate.id === id)
  if (!row) throw new RefusedEdit(message, { is_missing: true })
  return row
}

const withQuestion = (draft: Draft, question: Question): Draft => ({
  ...draft,
  questions: draft.questions.map((other) => (other.id === question.id ? question : other)),
})

const onPage = (
  content: Content,
  { page_number, global_position = Number.POSITIVE_INFINITY }: Place,
): { page_number: number; index: number } => ({
  page_number,
  index: itemsInOrder(content).filter(
    (item, rank) => placeOf(item).page_number === page_number && rank < global_position,
  ).length,
})
