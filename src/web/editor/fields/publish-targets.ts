import { FIELD_STEPS } from '#domain/editing/draft-fields.ts'
import { basicPublishErrors } from '#domain/publishing/publish-check.ts'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import {
  ADD_ITEM_ID,
  ADD_RESULT_ID,
  associationId,
  boundId,
  colorFieldId,
  dimensionFieldId,
  fieldId,
  imageAltId,
  jumpId,
  optionId,
  pageFieldId,
  resultFieldId,
  scoreId,
  textVariantTarget,
  thresholdId,
} from './field-ids.ts'
import type { Step } from './steps.ts'

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
  { message, question_id, answer_id, result_id, text_block_id, ...error }: PublishError,
  { isLocked, quiz }: { isLocked: boolean; quiz: Pick<Quiz, 'type'> },
): FieldTarget => {
  const { dimension_id, tier_id, text_variant_id, field } = error
  if (text_variant_id && field) return textVariantTarget({ id: text_variant_id, field }, quiz)
  if (dimension_id && field)
    return {
      step: 'results',
      field_ids: [
        dimensionFieldId(tier_id ?? dimension_id, field),
        dimensionFieldId(dimension_id, 'name'),
      ],
    }
  if (field === 'image_alt') {
    const owner = question_id ?? result_id ?? ''
    const step = result_id ? 'results' : 'questions'
    return { step, field_ids: [imageAltId(owner), fieldId(owner)] }
  }
  if (answer_id && field === 'jump_to')
    return { step: 'questions', field_ids: [jumpId(answer_id), fieldId(answer_id)] }
  if (answer_id && field) return { step: 'questions', field_ids: [fieldId(answer_id)] }
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
  if (field === 'shows_corrections')
    return { step: 'results', field_ids: [`${pageFieldId(field)}-page`] }
  if (field) {
    // One value of a list is named after its field, such as `tie_rule-both`.
    const [name = ''] = field.split('-')
    return {
      step: FIELD_STEPS[name] ?? 'questions',
      field_ids: [field.endsWith('_color') ? colorFieldId(field) : pageFieldId(field)],
    }
  }
  if (question_id) return { step: 'questions', field_ids: [fieldId(question_id)] }
  if (result_id)
    return { step: 'questions', field_ids: [thresholdId(result_id), boundId('minimum', result_id)] }
  return message === NO_QUESTION?.message && !isLocked ? TO_QUESTIONS : TO_RESULTS
}
