import { z } from 'zod'
import {
  DEFAULT_PAGE_NUMBER,
  DEFAULT_WEIGHT,
  LIMITS,
  MAX_WHOLE_NUMBER,
} from '#domain/common/vocabulary.ts'
import { revision } from './drafts.ts'
import { optionalFields } from './kit/field-shapes.ts'
import { text, uuid } from './kit/fields.ts'
import { pageNumber, questionType, quizMode, rank, threshold, wholeNumber } from './kit/shapes.ts'

/** Id in the editor: a UUID or a temporary `temp_…` id (product 5.5). */
export const editedId = z.union([
  uuid,
  z.string().regex(/^temp_[\w-]{1,100}$/, { error: "L'identifiant n'est pas valide" }),
])

const weight = z.int().min(0).max(MAX_WHOLE_NUMBER).default(DEFAULT_WEIGHT)

/** Association in the names of the specification's form (`resultId`, `isChecked`) or of the API. */
const editedAssociation = z
  .object({
    result_id: uuid.optional(),
    resultId: uuid.optional(),
    weight,
    is_checked: z.boolean().optional(),
    isChecked: z.boolean().optional(),
  })
  .transform(({ result_id, resultId, weight, is_checked, isChecked }, context) => {
    const id = result_id ?? resultId
    if (id) return { result_id: id, weight, is_checked: is_checked ?? isChecked ?? false }
    context.addIssue({
      code: 'custom',
      path: ['result_id'],
      message: 'Le résultat est obligatoire',
    })
    return z.NEVER
  })

/** Answer as sent by the editor. */
export const editedAnswer = z.object({
  id: editedId.optional(),
  text: text(LIMITS.answer_text).default(''),
  score: wholeNumber.nullish().transform((score) => score ?? null),
  position: rank.optional(),
  ...optionalFields.answerExtras,
  associations: z.array(editedAssociation).max(LIMITS.results).default([]),
})

/** Question as sent by the editor. Unknown keys such as `isNew` are dropped. */
export const editedQuestion = z.object({
  id: editedId.optional(),
  text: text(LIMITS.question_text).default(''),
  type: questionType,
  global_position: rank.optional(),
  page_number: pageNumber.default(DEFAULT_PAGE_NUMBER),
  ...optionalFields.questionExtras,
  answers: z.array(editedAnswer).max(LIMITS.answers_per_question).default([]),
})

const editedTextBlock = z.object({
  id: editedId.optional(),
  content: text(LIMITS.text_block),
  global_position: rank.optional(),
  page_number: pageNumber.default(DEFAULT_PAGE_NUMBER),
})

/** Bound of a tier; absent and null both mean « no bound » (product 2.5). */
const bound = threshold.nullish().transform((value) => value ?? null)
/**
 * Tier of a draft. A minimum above the maximum is accepted, because the creator may be typing; the screen says that
 * it matches no total.
 */
const editedThreshold = z.object({ min_score: bound, max_score: bound })

/** Complete draft of the questions screen. Missing rows are deleted (product 5.6). */
export const editedDraft = z.object({
  questions: z.array(editedQuestion).max(LIMITS.questions),
  text_blocks: z.array(editedTextBlock).max(LIMITS.text_blocks).default([]),
  score_thresholds: z.record(uuid, editedThreshold).default({}),
  quiz_mode: quizMode.optional(),
  based_on: revision.optional(),
})

/** Validated question from the editor. */
export type EditedQuestion = z.output<typeof editedQuestion>
/** Validated answer from the editor. */
export type EditedAnswer = z.output<typeof editedAnswer>
/** Validated draft from the editor. */
export type EditedDraft = z.output<typeof editedDraft>
