import { type Draft, isChoice, type QuizTies } from './quiz.ts'
import type { TextVariant } from './text-variants.ts'

type DraftWithReferences = Pick<Draft, 'questions' | 'results' | 'dimensions' | 'text_variants'> & {
  quiz: QuizTies
}

/**
 * Removes references to deleted rows: the tie question, dimensions of questions, and results of texts. The texts of a
 * deleted result are removed too. A condition on a deleted row stays, because publishing reports it.
 */
export const dropLostReferences = <D extends DraftWithReferences>(draft: D): D =>
  dropLostDimensions(dropTextsOfLostResults(dropUnusedResults(dropInvalidTieQuestion(draft))))

/** Removes the tie question if it was deleted or offers no answers. */
export const dropInvalidTieQuestion = <D extends Pick<Draft, 'questions'> & { quiz: QuizTies }>(
  draft: D,
): D => {
  const { tie_question_id: id } = draft.quiz
  const isKept =
    id === null || draft.questions.some((question) => question.id === id && isChoice(question))
  return isKept ? draft : { ...draft, quiz: { ...draft.quiz, tie_question_id: null } }
}

const dropUnusedResults = <D extends DraftWithReferences>(draft: D): D => {
  const isUnused = ({ place, result_id }: TextVariant): boolean =>
    place !== 'result' && result_id !== null
  if (!draft.text_variants.some(isUnused)) return draft
  const text_variants = draft.text_variants.map((row) =>
    isUnused(row) ? { ...row, result_id: null } : row,
  )
  return { ...draft, text_variants }
}

const dropTextsOfLostResults = <D extends DraftWithReferences>(draft: D): D => {
  if (draft.text_variants.length === 0) return draft
  const results = new Set(draft.results.map(({ id }) => id))
  const text_variants = draft.text_variants.filter(
    ({ place, result_id }) => place !== 'result' || results.has(result_id ?? ''),
  )
  if (text_variants.length === draft.text_variants.length) return draft
  return {
    ...draft,
    text_variants: text_variants.map((row, position) =>
      row.position === position ? row : { ...row, position },
    ),
  }
}

const dropLostDimensions = <D extends DraftWithReferences>(draft: D): D => {
  const dimensions = new Set(draft.dimensions.map(({ id }) => id))
  const isLost = ({ dimension_id }: { dimension_id: string | null }): boolean =>
    dimension_id !== null && !dimensions.has(dimension_id)
  if (!draft.questions.some(isLost)) return draft
  const questions = draft.questions.map((question) =>
    isLost(question) ? { ...question, dimension_id: null } : question,
  )
  return { ...draft, questions }
}
