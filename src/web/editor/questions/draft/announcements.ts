import { groupOf } from '#domain/questionnaire/grids/arrange-grids.ts'
import { placeOf } from '#domain/questionnaire/pages.ts'
import { numbersOf } from '#web/editor/fields/field-labels.ts'
import { findPlace } from '#web/ui/sorting/sort-groups.ts'
import { addedPage, groupsOf } from './item-positions.ts'
import type { QuestionsAction, QuestionsDraft } from './questions-reducer.ts'

/**
 * Returns the screen reader announcement of an action; undefined if a toast or the focused field announces
 * it.
 */
export const questionsAnnouncement = (
  after: QuestionsDraft,
  action: QuestionsAction,
): string | undefined => {
  switch (action.type) {
    case 'item_added': {
      if (action.more) return undefined
      const { id } = placeOf(action.item)
      const done = action.is_copy ? 'dupliqué' : 'ajouté'
      return `${titleOf(after, id, done)} : ${placeInWords(after, id)}`
    }
    case 'item_moved':
      return action.is_dragged
        ? undefined
        : `${titleOf(after, action.id, 'déplacé')} : ${placeInWords(after, action.id)}`
    case 'content_edited':
      return action.announcement
    case 'answers_added': {
      const [first, ...others] = action.answers
      if (!first) return undefined
      // Counts the first pasted line too, which was appended to an existing answer.
      return first.text === '' && others.length === 0
        ? `Réponse ${action.index + 1} ajoutée`
        : `${action.answers.length + 1} réponses collées`
    }
    case 'answers_written':
      return `Réponses écrites : ${action.texts.join(', ')}`
    case 'answer_removed':
      return action.is_erased ? 'Réponse vide supprimée' : undefined
    case 'page_added':
      return `Page ${addedPage(action.at, after.page_count - 1)} ajoutée`
    case 'page_moved':
      return action.is_dragged
        ? undefined
        : `Page ${action.from} déplacée : elle est la page ${action.to}`
    case 'page_copied':
      return `Page ${action.page_number} dupliquée : la copie est la page ${action.page_number + 1}`
    default:
      return undefined
  }
}

/** Returns a text such as 'Question 2 ajoutée' or 'Bloc de texte 1 ajouté'. */
const titleOf = (draft: QuestionsDraft, id: string, done: string): string => {
  const number = numbersOf(draft).get(id)
  if (groupOf(draft, id).length > 1) return `Grille ${done}e`
  const isQuestion = draft.questions.some((question) => question.id === id)
  return isQuestion ? `Question ${number} ${done}e` : `Bloc de texte ${number} ${done}`
}

const placeInWords = (draft: QuestionsDraft, id: string): string => {
  const place = findPlace(groupsOf(draft, draft.page_count), id)
  return `position ${(place?.index ?? 0) + 1}, page ${place?.group}`
}
