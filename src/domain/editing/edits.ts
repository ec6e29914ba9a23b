import { insertItem, moveItem, removeItem } from '#domain/questionnaire/arrange.ts'
import {
  ANSWER_DEFAULTS,
  ENDING_DEFAULTS,
  QUESTION_DEFAULTS,
} from '#domain/questionnaire/defaults.ts'
import { applyDefaults, type RowInput } from '#domain/questionnaire/fields/apply-defaults.ts'
import { resetMode } from '#domain/questionnaire/mode.ts'
import {
  type Content,
  itemsInOrder,
  placeOf,
  preserveJumps,
  renumber,
} from '#domain/questionnaire/pages.ts'
import type {
  Answer,
  AnswerOptions,
  Draft,
  Question,
  Result,
  ScoreThreshold,
} from '#domain/questionnaire/quiz.ts'
import { applyChanges } from './apply-changes.ts'
import type { Changes } from './changes.ts'
import type { QUESTION_NAMES } from './draft-fields.ts'
import { checkChanges, RefusedEdit, refuseUnlessChoice, unknownResultError } from './edit-rules.ts'

/**
 * Edits of a draft, one for each writing call (product 13.1). The server stores the difference between the draft before
 * and after.
 */

/** Returns the draft after an autosave. Leaving a mode resets the scores or associations that belong to it. */
export const applySave = (draft: Draft, changes: Changes): Draft => {
  const { quiz_mode } = draft
  const isReset = quiz_mode && changes.quiz_mode !== undefined && changes.quiz_mode !== quiz_mode
  const after = applyChanges(isReset ? resetMode(draft) : draft, changes)
  checkChanges(changes, draft, after)
  return after
}

/** Answer of a call, in which fields with defaults can be missing. */
export type AnswerInput = RowInput<Answer, AnswerOptions>
/** Question of a call, in which fields with defaults can be missing. */
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
 * Replaces questions, text blocks and thresholds. Results missing in `thresholds` keep theirs, and jumps missing in
 * the call still lead to their pages.
 */
export const replaceContent = (
  draft: Draft,
  given: Pick<Content, 'text_blocks'> & { questions: readonly QuestionInput[] },
  thresholds: Readonly<Record<string, ScoreThreshold>>,
): Draft => {
  const known = new Set(draft.results.map(({ id }) => id))
  const unknownId = Object.keys(thresholds).find((id) => !known.has(id))
  if (unknownId) throw unknownResultError(unknownId)
  const results = draft.results.map((result) => ({ ...result, ...thresholds[result.id] }))
  const before = new Map(draft.questions.map((question) => [question.id, question]))
  const questions = given.questions.map((question) =>
    completeQuestion(question, before.get(question.id)),
  )
  const content = renumber({ ...given, questions })
  const answers = given.questions.flatMap((question) => question.answers)
  const explicit = new Set(answers.flatMap(({ id, jump_to }) => (jump_to === undefined ? [] : id)))
  const kept = preserveJumps(draft, content, ({ id }) => explicit.has(id))
  return { ...draft, ...content, questions: kept, results }
}

const RESULT_DEFAULTS = { ...ENDING_DEFAULTS, min_score: null, max_score: null }
type NewResult = RowInput<Omit<Result, 'quiz_id' | 'updated_at'>, typeof RESULT_DEFAULTS & Unranked>
type Unranked = Pick<Result, 'priority_order'>

/** Adds a result, at the end unless its priority_order is given. */
export const addResult = (draft: Draft, { priority_order, ...result }: NewResult): Draft => {
  const last = Math.max(-1, ...draft.results.map((other) => other.priority_order))
  const order = priority_order ?? last + 1
  const added = resultIn(draft, { ...result, priority_order: order })
  return { ...draft, results: [...draft.results, added] }
}

/** Replaces all results, in list order unless a priority_order is given. Missing thresholds keep their values. */
export const replaceResults = (draft: Draft, list: readonly NewResult[]): Draft =>
  withoutOtherResults(
    draft,
    list.map((result, index) =>
      resultIn(draft, { ...result, priority_order: result.priority_order ?? index }),
    ),
  )

/** Changes the given fields of a result. */
export const changeResult = (
  draft: Draft,
  result_id: string,
  fields: { [Name in keyof Result]?: Result[Name] | undefined },
): Draft => {
  const before = requireRow(draft.results, result_id, 'Résultat introuvable')
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const changed: Result = { ...before, ...Object.fromEntries(given) }
  return { ...draft, results: draft.results.map((other) => (other === before ? changed : other)) }
}

/** Removes a result and the links to it. */
export const removeResult = (draft: Draft, result_id: string): Draft => {
  const result = requireRow(draft.results, result_id, 'Résultat introuvable')
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

/** Requested position of an item: a page, and a rank among all items. Without a rank, the end of the page. */
type RequestedPosition = { page_number: number; global_position?: number | undefined }

/** Adds a question. */
export const addQuestion = (
  draft: Draft,
  given: QuestionInput,
  place: RequestedPosition,
): Draft => {
  const question = completeQuestion(given)
  return { ...draft, ...insertItem(draft, { kind: 'question', question }, onPage(draft, place)) }
}

/** Changes the given fields of a question, its position, or both. */
export const changeQuestion = (
  draft: Draft,
  question_id: string,
  { page_number, global_position, ...fields }: QuestionFields & Partial<RequestedPosition>,
): Draft => {
  const before = requireRow(draft.questions, question_id, 'Question introuvable')
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const changed = withQuestion(draft, { ...before, ...Object.fromEntries(given) })
  if (page_number === undefined && global_position === undefined) return changed
  const place = { page_number: page_number ?? before.page_number, global_position }
  const to = onPage(removeItem(draft, question_id), place)
  return { ...changed, ...moveItem(changed, question_id, to) }
}

type QuestionFields = {
  [Name in (typeof QUESTION_NAMES)[number]]?: Question[Name] | undefined
}

/** Removes a question with its answers. */
export const removeQuestion = (draft: Draft, question_id: string): Draft => {
  requireRow(draft.questions, question_id, 'Question introuvable')
  return { ...draft, ...removeItem(draft, question_id) }
}

/** Adds an answer to a question, at the end unless a position is given. */
export const addAnswer = (draft: Draft, answer: AnswerInput, position?: number): Draft => {
  const question = requireRow(draft.questions, answer.question_id, 'Question introuvable')
  const last = question.answers.length
  const answers = (question.answers as AnswerInput[]).toSpliced(position ?? last, 0, answer)
  return replaceAnswers(draft, question.id, answers)
}

/** Replaces the answers of a question, in this order. */
export const replaceAnswers = (
  draft: Draft,
  question_id: string,
  given: readonly AnswerInput[],
): Draft => {
  const question = requireRow(draft.questions, question_id, 'Question introuvable')
  refuseUnlessChoice(question)
  const answers = completeAnswers(given, question.answers)
  const ranked = answers.map((answer, position) => ({ ...answer, position }))
  return withQuestion(draft, { ...question, answers: ranked })
}

/** Removes an answer of a question. */
export const removeAnswer = (draft: Draft, question_id: string, answer_id: string): Draft => {
  const { answers } = requireRow(draft.questions, question_id, 'Question introuvable')
  const answer = requireRow(answers, answer_id, 'Réponse introuvable')
  return replaceAnswers(
    draft,
    question_id,
    answers.filter((other) => other !== answer),
  )
}

const requireRow = <Row extends { id: string }>(
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
  { page_number, global_position = Number.POSITIVE_INFINITY }: RequestedPosition,
): { page_number: number; index: number } => ({
  page_number,
  index: itemsInOrder(content).filter(
    (item, rank) => placeOf(item).page_number === page_number && rank < global_position,
  ).length,
})
