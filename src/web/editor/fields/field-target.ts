import type { ConflictLocation } from '#domain/editing/merge-rows.ts'
import { COLOR_NAMES } from '#domain/questionnaire/look/colors.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import {
  associationId,
  boundId,
  colorFieldId,
  dimensionFieldId,
  fieldId,
  imageAltId,
  jumpId,
  NAME_FIELD_ID,
  optionId,
  pageFieldId,
  resultFieldId,
  resultNameId,
  scoreId,
  textVariantTarget,
  thresholdId,
} from './field-ids.ts'
import type { FieldTarget } from './publish-targets.ts'
import type { Step } from './steps.ts'

const RESULT_FIELD_IDS: Record<string, (id: string) => string[]> = {
  name: (id) => [resultNameId(id)],
  min_score: (id) => [boundId('minimum', id), thresholdId(id)],
  max_score: (id) => [boundId('maximum', id), thresholdId(id)],
}
const ANSWER_FIELD_IDS: Record<string, (id: string) => string[]> = {
  text: (id) => [fieldId(id)],
  score: (id) => [scoreId(id)],
  jump_to: (id) => [jumpId(id)],
}

/** Returns the step of a field of a draft and the possible ids of its input, the most specific id first. */
export const fieldTarget = (
  { kind, id = '', field }: ConflictLocation,
  quiz: Pick<Quiz, 'type'>,
): FieldTarget => {
  const ids = field === 'image_alt' ? [imageAltId(id), fieldId(id)] : undefined
  switch (kind) {
    case 'quiz':
      return quizFieldTarget(field)
    case 'result':
      return {
        step: field.endsWith('_score') ? 'questions' : 'results',
        field_ids: ids ?? RESULT_FIELD_IDS[field]?.(id) ?? [resultFieldId(id, field)],
      }
    case 'question':
      return {
        step: 'questions',
        field_ids: ids ?? (field === 'text' ? [fieldId(id)] : [optionId(id, field), fieldId(id)]),
      }
    case 'answer':
      return { step: 'questions', field_ids: ids ?? ANSWER_FIELD_IDS[field]?.(id) ?? [fieldId(id)] }
    case 'association':
      return { step: 'questions', field_ids: [associationId(id), fieldId(id)] }
    case 'dimension':
      return {
        step: 'results',
        field_ids: [dimensionFieldId(id, field), dimensionFieldId(id, 'name')],
      }
    case 'text_variant':
      return textVariantTarget({ id, field }, quiz)
    case 'text_block':
      return { step: 'questions', field_ids: [fieldId(id)] }
  }
}

const quizFieldTarget = (field: string): FieldTarget => {
  if (field === 'name') return { step: 'results', field_ids: [NAME_FIELD_ID] }
  if (COLOR_NAMES.some((name) => name === field))
    return { step: 'settings', field_ids: [colorFieldId(field)] }
  const [part = ''] = field.split('_')
  const step = STEPS_OF_QUIZ_FIELDS[part] ?? 'settings'
  return { step, field_ids: [pageFieldId(field)] }
}
const STEPS_OF_QUIZ_FIELDS: Record<string, Step> = {
  welcome: 'questions',
  end: 'questions',
  tie: 'results',
  dimension: 'results',
}
