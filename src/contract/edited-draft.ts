import { z } from 'zod'
import {
  DEFAULT_PAGE_NUMBER,
  DEFAULT_WEIGHT,
  LIMITS,
  MAX_WHOLE_NUMBER,
} from '#domain/common/vocabulary.ts'
import { revision } from './drafts.ts'
import { given, text, uuid } from './kit/fields.ts'
import { pageNumber, questionType, quizMode, rank, threshold, wholeNumber } from './kit/shapes.ts'

/** Id of something the editor holds: its own UUID, or a temporary `temp_…` (decisions « Temporary ids »). */
export const editedId = z.union([
  uuid,
  z.string().regex(/^temp_[\w-]{1,100}$/, { error: "L'identifiant n'est pas valide" }),
])

const weight = z.int().min(0).max(MAX_WHOLE_NUMBER).default(DEFAULT_WEIGHT)

/** An association as the spec's form spells it (`resultId`, `isChecked`) or as the wire does. */
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

export const editedAnswer = z.object({
  id: editedId.optional(),
  text: text(LIMITS.answer_text).default(''),
  score: wholeNumber.nullish().transform((score) => score ?? null),
  position: rank.optional(),
  ...given.answerExtras,
  associations: z.array(editedAssociation).max(LIMITS.results).default([]),
})

/** A question as the editor sends it; `isNew` and its like are dropped as unknown keys. */
export const editedQuestion = z.object({
  id: editedId.optional(),
  text: text(LIMITS.question_text).default(''),
  type: questionType,
  global_position: rank.optional(),
  page_number: pageNumber.default(DEFAULT_PAGE_NUMBER),
  ...given.questionExtras,
  answers: z.array(editedAnswer).max(LIMITS.answers_per_question).default([]),
})

const editedTextBlock = z.object({
  id: editedId.optional(),
  content: text(LIMITS.text_block),
  global_position: rank.optional(),
  page_number: pageNumber.default(DEFAULT_PAGE_NUMBER),
})

/** Absent and null both mean « no bound » (spec §5: an empty threshold is undefined). */
const bound = threshold.nullish().transform((value) => value ?? null)
/** A tier turned round is a draft being typed, not a mistake to refuse: the screen says that it matches nothing. */
const editedThreshold = z.object({ min_score: bound, max_score: bound })

/** The whole draft of the questions screen: what is not in it is deleted (spec §7 « smart »). */
export const editedDraft = z.object({
  questions: z.array(editedQuestion).max(LIMITS.questions),
  text_blocks: z.array(editedTextBlock).max(LIMITS.text_blocks).default([]),
  score_thresholds: z.record(uuid, editedThreshold).default({}),
  quiz_mode: quizMode.optional(),
  based_on: revision.optional(),
})

export type EditedQuestion = z.output<typeof editedQuestion>
export type EditedAnswer = z.output<typeof editedAnswer>
export type EditedDraft = z.output<typeof editedDraft>
