import { basicPublishErrors } from '#domain/publishing/publish-check.ts'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import { fieldId } from './field-ids.ts'
import type { Step } from './steps.ts'

/** Ids of the fields that a publish error leads to, beside those of the questions and answers. */
export const NAME_FIELD_ID = 'quiz-name'
export const ADD_ITEM_ID = 'add-item'
export const ADD_RESULT_ID = 'add-result'
export const scoreId = (answer_id: string): string => `score-${answer_id}`
/** The first of the results that an answer can be associated with. */
export const associationId = (answer_id: string): string => `association-${answer_id}`
/** The first bound that a result lacks. */
export const thresholdId = (result_id: string): string => `threshold-${result_id}`
/** The two bounds of a result that have a value. */
export const boundId = (bound: 'minimum' | 'maximum', result_id: string): string =>
  `${bound}-${result_id}`
export const colorFieldId = (name: string): string => `color-${name}`
export const resultNameId = (result_id: string): string => `result-${result_id}`
/** A field of what a result leads to, or of its picture. */
export const resultFieldId = (result_id: string, field: string): string => `${field}-${result_id}`
/** A field of welcome, end or look. */
export const pageFieldId = (field: string): string => `page-${field}`

/** The description of the picture of a question, an answer or a result. */
export const imageAltId = (owner_id: string): string => `image-alt-${owner_id}`
/** One of the options of a question. */
export const optionId = (question_id: string, option: string): string => `${option}-${question_id}`
/** The line that opens the options of a question. */
export const optionsId = (question_id: string): string => `options-${question_id}`
/** Where an answer leads. */
export const jumpId = (answer_id: string): string => `jump-${answer_id}`

/** Step and fields where an error is fixed; the first rendered field receives the focus. */
export type FieldTarget = { step: Step; field_ids: readonly string[] }

const TO_RESULTS: FieldTarget = { step: 'results', field_ids: [ADD_RESULT_ID] }
const TO_QUESTIONS: FieldTarget = { step: 'questions', field_ids: [ADD_ITEM_ID] }

// Error of a questionnaire without questions, computed for a sondage because a sondage needs no result.
const [NO_QUESTION] = basicPublishErrors({ quiz: { type: 'sondage' }, questions: [], results: [] })

/**
 * Returns where a publish error is fixed. While the questions step is locked, an error about missing
 * questions leads to the results, which unlock it.
 */
export const publishTarget = (
  { message, question_id, answer_id, result_id, text_block_id, field }: PublishError,
  { isLocked }: { isLocked: boolean },
): FieldTarget => {
  if (field === 'image_alt') {
    const owner = answer_id ?? question_id ?? result_id ?? ''
    const step = result_id ? 'results' : 'questions'
    return { step, field_ids: [imageAltId(owner), fieldId(owner)] }
  }
  if (answer_id && field === 'jump_to')
    return { step: 'questions', field_ids: [jumpId(answer_id), fieldId(answer_id)] }
  // The calculation mode decides whether the score or the association is rendered.
  if (answer_id)
    return {
      step: 'questions',
      field_ids: [scoreId(answer_id), associationId(answer_id), fieldId(answer_id)],
    }
  if (question_id && field)
    return { step: 'questions', field_ids: [optionId(question_id, field), fieldId(question_id)] }
  if (text_block_id) return { step: 'questions', field_ids: [fieldId(text_block_id)] }
  if (field && result_id) return { step: 'results', field_ids: [resultFieldId(result_id, field)] }
  if (field)
    return {
      step: field === 'tie_question_id' ? 'results' : 'questions',
      field_ids: [pageFieldId(field)],
    }
  if (question_id) return { step: 'questions', field_ids: [fieldId(question_id)] }
  if (result_id) return { step: 'questions', field_ids: [thresholdId(result_id)] }
  return message === NO_QUESTION?.message && !isLocked ? TO_QUESTIONS : TO_RESULTS
}
