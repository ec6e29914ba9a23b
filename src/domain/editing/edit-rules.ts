import { LIMITS } from '#domain/common/vocabulary.ts'
import { DATE_ORDER_REFUSALS, misplacedDate } from '#domain/questionnaire/access-dates.ts'
import { isGrownTooLarge, sizeError } from '#domain/questionnaire/questionnaire-size.ts'
import { type Draft, isChoice, type Question, type QuizAccess } from '#domain/questionnaire/quiz.ts'
import type { Changes } from './changes.ts'

/** Refusal of an edit, with a French message. Nothing of the edit is stored. */
export class RefusedEdit extends Error {
  override name = 'RefusedEdit'
  /** Path of the field in the request body, such as `questions.type`. */
  readonly field: string | undefined
  /** True if the edit refers to a missing row. */
  readonly is_missing: boolean

  constructor(message: string, { field, is_missing = false }: Partial<RefusedEdit> = {}) {
    super(message)
    this.field = field
    this.is_missing = is_missing
  }
}

/** Refusal of an id that already names another kind of row, or a row of another parent or quiz. */
export const idConflictError = (): RefusedEdit =>
  new RefusedEdit('Un identifiant désigne déjà autre chose', { field: 'id' })

/** Refusal of a result that the quiz does not have. */
export const unknownResultError = (id: string): RefusedEdit =>
  new RefusedEdit(`Le résultat ${id} ne fait pas partie de ce questionnaire`, {
    field: 'result_id',
  })

/** Refusal of a tie question that does not belong to the quiz or offers no answers. */
export const unknownTieQuestionError = (field: string): RefusedEdit =>
  new RefusedEdit('La question qui départage doit être une question à choix de ce questionnaire', {
    field,
  })

/** Refusal of a dimension that the quiz does not have. */
const unknownDimensionError = (): RefusedEdit =>
  new RefusedEdit('La dimension ne fait pas partie de ce questionnaire', {
    field: 'questions.dimension_id',
  })

/** Refusal of a conditional text whose place is a result that the quiz does not have. */
const unplacedTextError = (result_id: string | null | undefined): RefusedEdit =>
  result_id
    ? unknownResultError(result_id)
    : new RefusedEdit('Choisissez le résultat de ce texte conditionnel', {
        field: 'text_variants.result_id',
      })

type AccessDates = Pick<QuizAccess, 'opens_at' | 'closes_at'>

/** Throws a RefusedEdit if an edit makes a quiz open at or after its closing date. `path` is the prefix of the error field. */
export const checkAccessDates = (before: AccessDates, after: AccessDates, path = ''): void => {
  const field = misplacedDate(before, after)
  if (field) throw new RefusedEdit(DATE_ORDER_REFUSALS[field], { field: `${path}${field}` })
}

/** Throws a RefusedEdit unless the question is a choice question, because other types offer no answers. */
export const refuseUnlessChoice = (question: Pick<Question, 'type'>, field = 'id'): void => {
  if (!isChoice(question))
    throw new RefusedEdit('Seule une question à choix a des réponses', { field })
}

/** Throws a RefusedEdit if changes refer to missing rows, or create a row without its required fields. */
export const checkChanges = (changes: Changes, before: Draft, after: Draft): void => {
  const old = new Set(placedIds(before))
  for (const { id, name } of changes.results)
    if (name === undefined && !old.has(`result ${id}`))
      throw new RefusedEdit('Le nom est obligatoire', { field: 'results.name' })
  for (const { id, type } of changes.questions)
    if (type === undefined && !old.has(`question ${id}`))
      throw new RefusedEdit('Le type de la question est obligatoire', { field: 'questions.type' })
  for (const { id, content } of changes.text_blocks)
    if (content === undefined && !old.has(`text_block ${id}`))
      throw new RefusedEdit('Le texte est obligatoire', { field: 'text_blocks.content' })
  const parents = new Map(after.questions.map((question) => [question.id, question.answers]))
  const results = new Set(after.results.map(({ id }) => id))
  const answers = new Set([...parents.values()].flat().map(({ id }) => id))
  const isForeign =
    changes.answers.some(({ question_id }) => !parents.has(question_id)) ||
    changes.associations.some(
      (link) => !answers.has(link.answer_id) || !results.has(link.result_id),
    )
  if (isForeign) throw idConflictError()
  const { tie_question_id = null } = changes.quiz
  if (tie_question_id !== after.quiz.tie_question_id && tie_question_id !== null)
    throw unknownTieQuestionError('quiz.tie_question_id')
  const dimensions = new Set(after.dimensions.map(({ id }) => id))
  if (changes.questions.some(({ dimension_id: id }) => id && !dimensions.has(id)))
    throw unknownDimensionError()
  const kept = new Set(after.text_variants.map(({ id }) => id))
  const lost = changes.text_variants.find(({ id }) => !kept.has(id))
  if (lost) throw unplacedTextError(lost.result_id)
}

/**
 * Throws a RefusedEdit if a draft exceeds the limits of a quiz or its maximum size, or refers to missing rows. An id
 * that already names another row is refused too. Returns the ids that `before` lacks; no stored row may have them.
 */
export const checkDraft = (before: Draft, after: Draft): string[] => {
  checkLimits(after)
  checkAccessDates(before.quiz, after.quiz, 'quiz.')
  if (isGrownTooLarge(before, after)) throw new RefusedEdit(sizeError(after) ?? '')
  const results = new Set(after.results.map(({ id }) => id))
  const known = new Map(before.questions.map((question) => [question.id, question]))
  for (const question of after.questions) {
    const old = known.get(question.id)
    if (old === question) continue
    if (old && old.type !== question.type) throw idConflictError()
    if (question.answers.length > 0) refuseUnlessChoice(question)
    for (const { associations } of question.answers)
      for (const { result_id } of associations)
        if (!results.has(result_id)) throw unknownResultError(result_id)
  }
  const old = new Set(placedIds(before))
  const now = placedIds(after)
  const added = now
    .filter((placed) => !old.has(placed))
    .map((placed) => placed.slice(placed.indexOf(' ') + 1))
  const hasDuplicates = (ids: string[]): boolean => new Set(ids).size < ids.length
  if (hasDuplicates(now) || hasDuplicates(added)) throw idConflictError()
  return added
}

const checkLimits = (draft: Draft): void => {
  const { results, questions, text_blocks, dimensions, text_variants } = draft
  const refuseAbove = (count: number, limit: number, message: string): void => {
    if (count > limit) throw new RefusedEdit(message)
  }
  refuseAbove(
    results.length,
    LIMITS.results,
    `Un questionnaire a ${LIMITS.results} résultats au plus`,
  )
  refuseAbove(
    questions.length,
    LIMITS.questions,
    `Un questionnaire a ${LIMITS.questions} questions au plus`,
  )
  refuseAbove(
    text_blocks.length,
    LIMITS.text_blocks,
    `Un questionnaire a ${LIMITS.text_blocks} blocs de texte au plus`,
  )
  refuseAbove(
    dimensions.length,
    LIMITS.dimensions,
    `Un questionnaire a ${LIMITS.dimensions} dimensions au plus`,
  )
  refuseAbove(
    text_variants.length,
    LIMITS.text_variants,
    `Un questionnaire a ${LIMITS.text_variants} textes conditionnels au plus`,
  )
  for (const { answers } of questions)
    refuseAbove(
      answers.length,
      LIMITS.answers_per_question,
      `Une question a ${LIMITS.answers_per_question} réponses au plus`,
    )
}

/** Returns each id with its kind, each answer id with its question, and each tier id with its dimension. */
const placedIds = (draft: Draft): string[] => {
  const { results, questions, text_blocks, dimensions, text_variants } = draft
  return [
    ...results.map(({ id }) => `result ${id}`),
    ...text_blocks.map(({ id }) => `text_block ${id}`),
    ...dimensions.flatMap((dimension) => [
      `dimension ${dimension.id}`,
      ...dimension.tiers.map(({ id }) => `${dimension.id} ${id}`),
    ]),
    ...text_variants.map(({ id }) => `text_variant ${id}`),
    ...questions.flatMap((question) => [
      `question ${question.id}`,
      ...question.answers.map(({ id }) => `${question.id} ${id}`),
    ]),
  ]
}
