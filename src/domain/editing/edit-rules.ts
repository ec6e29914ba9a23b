import { LIMITS } from '#domain/common/vocabulary.ts'
import { isGrownTooLarge, sizeError } from '#domain/questionnaire/questionnaire-size.ts'
import { type Draft, isChoice, type Question } from '#domain/questionnaire/quiz.ts'
import type { Changes } from './changes.ts'

/** An edit that a draft does not take, in words for its creator. Nothing of it is stored. */
export class RefusedEdit extends Error {
  override name = 'RefusedEdit'
  /** Where in the call, as `questions.type`. */
  readonly field: string | undefined
  /** True when the edit is about a part that is not there. */
  readonly is_missing: boolean

  constructor(message: string, { field, is_missing = false }: Partial<RefusedEdit> = {}) {
    super(message)
    this.field = field
    this.is_missing = is_missing
  }
}

/** The id names something else already: another kind of row, another parent or another quiz. */
export const idConflictError = (): RefusedEdit =>
  new RefusedEdit('Un identifiant désigne déjà autre chose', { field: 'id' })

/** The call names a result that the quiz has not. */
export const unknownResultError = (id: string): RefusedEdit =>
  new RefusedEdit(`Le résultat ${id} ne fait pas partie de ce quiz`, { field: 'result_id' })

/** A question that is not the quiz's, or that offers no answers, cannot settle ties. */
export const unknownTieQuestionError = (field: string): RefusedEdit =>
  new RefusedEdit('La question qui départage doit être une question à choix de ce quiz', { field })

/** Only a choice question has answers to offer. */
export const refuseUnlessChoice = (question: Pick<Question, 'type'>): void => {
  if (!isChoice(question))
    throw new RefusedEdit('Seule une question à choix a des réponses', { field: 'id' })
}

/** Refuses changes that name rows the draft has not, or that create a row without what it needs. */
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
}

/**
 * Throws a RefusedEdit if a draft exceeds the limits of a quiz or its largest size, links to rows outside itself, or
 * reuses a known id for something else. Returns the ids that `before` lacks; no stored row may have them.
 */
export const checkDraft = (before: Draft, after: Draft): string[] => {
  checkLimits(after)
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
  const isTwice = (ids: string[]): boolean => new Set(ids).size < ids.length
  if (isTwice(now) || isTwice(added)) throw idConflictError()
  return added
}

const checkLimits = ({ results, questions, text_blocks }: Draft): void => {
  const most = (count: number, limit: number, message: string): void => {
    if (count > limit) throw new RefusedEdit(message)
  }
  most(results.length, LIMITS.results, `Un quiz a ${LIMITS.results} résultats au plus`)
  most(questions.length, LIMITS.questions, `Un quiz a ${LIMITS.questions} questions au plus`)
  most(
    text_blocks.length,
    LIMITS.text_blocks,
    `Un quiz a ${LIMITS.text_blocks} blocs de texte au plus`,
  )
  for (const { answers } of questions)
    most(
      answers.length,
      LIMITS.answers_per_question,
      `Une question a ${LIMITS.answers_per_question} réponses au plus`,
    )
}

/** Each id of a draft after its kind, for an answer after its question. */
const placedIds = ({ results, questions, text_blocks }: Draft): string[] => [
  ...results.map(({ id }) => `result ${id}`),
  ...text_blocks.map(({ id }) => `text_block ${id}`),
  ...questions.flatMap((question) => [
    `question ${question.id}`,
    ...question.answers.map(({ id }) => `${question.id} ${id}`),
  ]),
]
