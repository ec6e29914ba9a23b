import { trimText } from '#domain/common/text.ts'
import { ENDING_DEFAULTS } from '#domain/questionnaire/defaults.ts'
import { editRows, type RowsAction } from '#domain/questionnaire/ordered-rows.ts'
import type { Association, Draft, Result } from '#domain/questionnaire/quiz.ts'

/** Fields of the button and the redirection of a result. */
export const LINK_FIELDS = ['button_text', 'button_url', 'redirect_url'] as const
/** Field of the button or the redirection of a result. */
export type LinkField = (typeof LINK_FIELDS)[number]

/** Action of the results screen. */
export type ResultsAction =
  | RowsAction<Result>
  /** Copies the filled links of a result to all results. */
  | { type: 'links_copied'; id: string }

/** Returns a new result; undefined when its name is blank (product 2.2). */
export const createResult = (typed: {
  id: string
  quiz_id: string
  name: string
  now: string
}): Result | undefined => {
  const name = trimText(typed.name)
  if (name === '') return undefined
  return {
    id: typed.id,
    quiz_id: typed.quiz_id,
    name,
    description: null,
    priority_order: 0,
    min_score: null,
    max_score: null,
    ...ENDING_DEFAULTS,
    updated_at: typed.now,
  }
}

/**
 * Returns the results after an action. `priority_order` is always the index (product 2.4), and an empty description is
 * null.
 */
export const resultsReducer = (results: Result[], action: ResultsAction): Result[] => {
  if (action.type === 'links_copied') return withCopiedLinks(results, action.id)
  if (action.type !== 'changed' || action.fields.description !== '')
    return editRows(results, action, 'priority_order')
  const fields = { ...action.fields, description: null }
  return editRows(results, { ...action, fields }, 'priority_order')
}

/**
 * Returns the screen reader announcement of an action; undefined if a toast or the focused field announces
 * it.
 */
export const resultsAnnouncement = (
  after: readonly Result[],
  action: ResultsAction,
): string | undefined => {
  switch (action.type) {
    case 'added':
      return `« ${action.row.name} » ajouté : position ${after.length} sur ${after.length}`
    case 'moved': {
      const name = trimText(after[action.to]?.name ?? '') || 'Résultat sans nom'
      return action.is_dragged
        ? undefined
        : `« ${name} » déplacé : position ${action.to + 1} sur ${after.length}`
    }
    default:
      return undefined
  }
}

/** Returns the link fields of a result that have a value. */
export const filledLinks = (result: Pick<Result, LinkField>): LinkField[] =>
  LINK_FIELDS.filter((field) => result[field])

/** Returns true if all results have the filled links of this one. */
export const haveSameLinks = (results: readonly Result[], result: Result): boolean =>
  filledLinks(result).every((field) => results.every((other) => other[field] === result[field]))

/** Returns the results with the filled links of one of them. A link that it lacks stays as it is in the others. */
const withCopiedLinks = (results: Result[], id: string): Result[] => {
  const source = results.find((result) => result.id === id)
  if (!source || haveSameLinks(results, source)) return results
  const links = Object.fromEntries(filledLinks(source).map((field) => [field, source[field]]))
  return results.map((result) => ({ ...result, ...links }))
}

/** Applies an action to a draft. Removing a result also removes its associations. */
export const withResults = <D extends Pick<Draft, 'results' | 'questions'>>(
  draft: D,
  action: ResultsAction,
): D => {
  const results = resultsReducer(draft.results, action)
  if (action.type !== 'removed') return { ...draft, results }
  const isKept = ({ result_id }: Association): boolean => result_id !== action.id
  const questions = draft.questions.map((question) =>
    question.answers.every(({ associations }) => associations.every(isKept))
      ? question
      : {
          ...question,
          answers: question.answers.map((answer) => ({
            ...answer,
            associations: answer.associations.filter(isKept),
          })),
        },
  )
  return { ...draft, results, questions }
}
