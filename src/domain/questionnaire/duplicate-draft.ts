import { cutText } from '#domain/common/text.ts'
import { LIMITS, UNPUBLISHED } from '#domain/common/vocabulary.ts'
import { ACCESS_DEFAULTS } from './defaults.ts'
import type { Answer, Draft, Question } from './quiz.ts'
import { replaceConditionIds } from './text-variants.ts'

const SUFFIX = ' (copie)'

/** Returns the name of a copy. A long name is cut, so that the suffix fits the limit. */
export const copyName = (name: string): string =>
  `${cutText(name, LIMITS.quiz_name - SUFFIX.length).trimEnd()}${SUFFIX}`

/** Returns the draft with new ids. References between rows refer to the new rows. */
export const replaceIds = (draft: Draft, createId: () => string): Draft => {
  const quiz_id = createId()
  const ids = new Map<string, string>()
  const renew = (id: string): string => {
    const renewed = createId()
    ids.set(id, renewed)
    return renewed
  }
  /** Returns the new id of a row; an unknown id stays. */
  const renewed = (id: string): string => ids.get(id) ?? id
  const results = draft.results.map((result) => ({ ...result, id: renew(result.id), quiz_id }))
  const dimensions = draft.dimensions.map((dimension) => ({
    ...dimension,
    id: renew(dimension.id),
    quiz_id,
    tiers: dimension.tiers.map((tier) => ({ ...tier, id: renew(tier.id) })),
  }))
  const renewAnswer = (answer: Answer, question_id: string): Answer => {
    const id = renew(answer.id)
    const associations = answer.associations.map((link) => ({
      ...link,
      id: createId(),
      answer_id: id,
      result_id: renewed(link.result_id),
    }))
    return { ...answer, id, question_id, associations }
  }
  const renewQuestion = (question: Question): Question => {
    const id = renew(question.id)
    const answers = question.answers.map((answer) => renewAnswer(answer, id))
    const { dimension_id } = question
    return {
      ...question,
      id,
      quiz_id,
      dimension_id: dimension_id && renewed(dimension_id),
      answers,
    }
  }
  const questions = draft.questions.map(renewQuestion)
  const { tie_question_id } = draft.quiz
  return {
    quiz: {
      ...draft.quiz,
      id: quiz_id,
      tie_question_id: tie_question_id && renewed(tie_question_id),
    },
    quiz_mode: draft.quiz_mode,
    results,
    dimensions,
    questions,
    text_blocks: draft.text_blocks.map((block) => ({ ...block, id: createId(), quiz_id })),
    text_variants: draft.text_variants.map((variant) => ({
      ...variant,
      id: createId(),
      quiz_id,
      result_id: variant.result_id && renewed(variant.result_id),
      conditions: variant.conditions.map((condition) => replaceConditionIds(condition, renewed)),
    })),
  }
}

/**
 * Returns a copy with another name and new ids, and with the settings of confirmations and of the participants' pages. Connections to email
 * tools, the slug, closing conditions and URL parameters are not copied.
 */
export const duplicateDraft = (draft: Draft, createId: () => string): Draft => {
  const { quiz, ...content } = replaceIds(draft, createId)
  const { confirms_email, keeps_page, page_erases_contacts } = quiz
  return {
    ...content,
    quiz: {
      ...quiz,
      name: copyName(quiz.name),
      status: UNPUBLISHED,
      nb_responses: 0,
      kit_custom_field: null,
      brevo_attribute_name: null,
      ...ACCESS_DEFAULTS,
      confirms_email,
      keeps_page,
      page_erases_contacts,
    },
  }
}
