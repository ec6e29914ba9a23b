import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'
import type { Step } from './steps.ts'

/**
 * Ids of the elements of the editor that receive the focus: after a publish error, a rejected save, an undo
 * or another action.
 */

/** Id of the share button in the header. */
export const SHARE_BUTTON_ID = 'share-quiz'
/** Id of the publish button in the header. */
export const PUBLISH_BUTTON_ID = 'publish-quiz'
/** Id of the link to the preview in the header. */
export const PREVIEW_LINK_ID = 'preview-quiz'
/** Id of the field for the name of the quiz. */
export const NAME_FIELD_ID = 'quiz-name'
/** Id of the button that adds questions and text blocks. */
export const ADD_ITEM_ID = 'add-item'
/** Id of the field that adds results. */
export const ADD_RESULT_ID = 'add-result'
/** Id of the button that adds a conditional text, to which links to these texts lead. */
export const ADD_CONDITIONAL_TEXT_ID = 'add-conditional-text'

/** Returns the id of the text field of a question, a text block or an answer. */
export const fieldId = (id: string): string => `field-${id}`
/** Returns the id of the menu button of a question or a text block. */
export const itemMenuId = (id: string): string => `menu-${id}`
/** Returns the id of the handle that drags a page in the outline. */
export const pageHandleId = (page_number: number): string => `move-page-${page_number}`
/** Returns the id of the heading of a page. */
export const pageHeadingId = (page_number: number): string => `page-${page_number}`

/** Returns the id of the field for an option of a question. */
export const optionId = (question_id: string, option: string): string => `${option}-${question_id}`
/** Returns the id of the button that opens the options of a question. */
export const optionsId = (question_id: string): string => `options-${question_id}`
/** Returns the id of the field for the score of an answer. */
export const scoreId = (answer_id: string): string => `score-${answer_id}`
/** Returns the id of the field for the page that an answer leads to. */
export const jumpId = (answer_id: string): string => `jump-${answer_id}`
/** Returns the id of the first checkbox that associates an answer with a result. */
export const associationId = (answer_id: string): string => `association-${answer_id}`

/** Returns the id of the field for the name of a result. */
export const resultNameId = (result_id: string): string => `result-${result_id}`
/** Returns the id of another field of a result, such as its description or its button. */
export const resultFieldId = (result_id: string, field: string): string => `${field}-${result_id}`
/** Returns the id of a field of a dimension or of one of its tiers. */
export const dimensionFieldId = (id: string, field: string): string => `dimension-${id}-${field}`
/** Returns the id of a field of a conditional text; `item` is its line in the list. */
export const textVariantFieldId = (id: string, field: string): string =>
  `text-variant-${id}-${field}`
/**
 * Returns where a field of a conditional text is edited: with the results, or with the end of a sondage. The line of a
 * closed text opens when it gets the focus.
 */
export const textVariantTarget = (
  { id, field }: { id: string; field: string },
  quiz: Pick<Quiz, 'type'>,
): { step: Step; field_ids: readonly string[] } => ({
  step: isSondage(quiz) ? 'questions' : 'results',
  field_ids: [textVariantFieldId(id, field), textVariantFieldId(id, 'item')],
})
/** Returns the id of the first missing bound of the tier of a result. */
export const thresholdId = (result_id: string): string => `threshold-${result_id}`
/** Returns the id of a bound of the tier of a result that has a value. */
export const boundId = (bound: 'minimum' | 'maximum', result_id: string): string =>
  `${bound}-${result_id}`

/** Returns the id of the field for a colour. */
export const colorFieldId = (name: string): string => `color-${name}`
/** Returns the id of a field of the welcome screen, the end screen or the design. */
export const pageFieldId = (field: string): string => `page-${field}`
/** Returns the id of the description of the picture of a question, an answer or a result. */
export const imageAltId = (owner_id: string): string => `image-alt-${owner_id}`
