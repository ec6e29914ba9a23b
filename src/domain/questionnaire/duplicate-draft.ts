import { cutText } from '#domain/common/text.ts'
import { LIMITS, UNPUBLISHED } from '#domain/common/vocabulary.ts'
import { ACCESS_DEFAULTS } from './defaults.ts'
import type { Answer, Draft, Question } from './quiz.ts'

const SUFFIX = ' (copie)'

/** Returns the name of a copy. A long name is cut, so that the suffix fits the limit. */
export const copyName = (name: string): string =>
  `${cutText(name, LIMITS.quiz_name - SUFFIX.length).trimEnd()}${SUFFIX}`

/** Returns the draft with new ids. Associations and the tie question refer to the new rows. */
export const replaceIds = (draft: Draft, createId: () => string): Draft => {
  const quiz_id = createId()
  const resultIds = new Map(draft.results.map(({ id }) => [id, createId()]))
  const resultOf = (id: string): string => resultIds.get(id) ?? id
  const renewAnswer = (answer: Answer, question_id: string): Answer => {
    const id = createId()
    const associations = answer.associations.map((link) => ({
      ...link,
      id: createId(),
      answer_id: id,
      result_id: resultOf(link.result_id),
    }))
    return { ...answer, id, question_id, associations }
  }
  const renewQuestion = (question: Question): Question => {
    const id = createId()
    const answers = question.answers.map((answer) => renewAnswer(answer, id))
    return { ...question, id, quiz_id, answers }
  }
  const questions = draft.questions.map(renewQuestion)
  // The new questions are in the order of the originals.
  const tied = draft.questions.findIndex(({ id }) => id === draft.quiz.tie_question_id)
  return {
    quiz: { ...draft.quiz, id: quiz_id, tie_question_id: questions[tied]?.id ?? null },
    quiz_mode: draft.quiz_mode,
    results: draft.results.map((result) => ({ ...result, id: resultOf(result.id), quiz_id })),
    questions,
    text_blocks: draft.text_blocks.map((block) => ({ ...block, id: createId(), quiz_id })),
  }
}

/**
 * Returns a copy with another name and new ids. Connections to email tools, the slug and closing conditions are not
 * copied.
 */
export const duplicateDraft = (draft: Draft, createId: () => string): Draft => {
  const { quiz, ...content } = replaceIds(draft, createId)
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
    },
  }
}
