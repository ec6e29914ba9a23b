import { z } from 'zod'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { editedAnswer, editedDraft, editedQuestion } from './edited-draft.ts'
import { calls } from './kit/calls.ts'
import { group, MAX_SAVE_BODY_BYTES } from './kit/endpoint.ts'
import { optionalFields } from './kit/field-shapes.ts'
import { text, uuid } from './kit/fields.ts'
import {
  answer,
  pageNumber,
  question,
  quizMode,
  rank,
  result,
  scoreThreshold,
  textBlock,
} from './kit/shapes.ts'

const { questions: questionCalls } = calls
const oneQuestion = z.object({ question })
/** Final ids of temporary ids (product 5.5). */
const idMap = { id_map: z.record(z.string(), uuid) }
const unified = z.object({
  questions: z.array(question),
  text_blocks: z.array(textBlock),
  results: z.array(result),
  quiz_mode: quizMode,
  score_thresholds: z.record(uuid, scoreThreshold),
})

/** Calls for questions, answers, text blocks and thresholds (product 13.1). */
export const questions = group({
  list: {
    ...questionCalls.list,
    access: 'quiz_owner',
    answer: z.object({ questions: z.array(question) }),
    summary: 'Les questions dans leur ordre, avec réponses et associations',
  },
  unified: {
    ...questionCalls.unified,
    access: 'quiz_owner',
    answer: unified,
    summary: 'Tout ce que montre l’écran des questions',
  },
  saveDraft: {
    ...questionCalls.saveDraft,
    access: 'quiz_owner',
    body: editedDraft,
    max_body_bytes: MAX_SAVE_BODY_BYTES,
    answer: unified.extend(idMap),
    summary: 'Remplacer les questions, blocs et seuils enregistrés par ceux-ci',
  },
  create: {
    ...questionCalls.create,
    creates: true,
    access: 'quiz_owner',
    body: editedQuestion.extend({ id: uuid.optional() }),
    answer: oneQuestion.extend(idMap),
    summary:
      'Ajouter une question, à la fin de sa page sauf si global_position en décide autrement',
  },
  update: {
    ...questionCalls.update,
    access: 'question_owner',
    body: z.object({
      text: text(LIMITS.question_text).optional(),
      ...optionalFields.questionExtras,
      global_position: rank.optional(),
      page_number: pageNumber.optional(),
    }),
    answer: oneQuestion,
    summary: 'Changer les champs donnés d’une question ; son type reste',
  },
  remove: {
    ...questionCalls.remove,
    access: 'question_owner',
    summary: 'Supprimer une question et ses réponses',
  },
  addAnswer: {
    ...questionCalls.addAnswer,
    creates: true,
    access: 'question_owner',
    body: editedAnswer.extend({ id: uuid.optional() }),
    answer: z.object({ answer }),
    summary: 'Ajouter une réponse, en dernier sauf si position en décide autrement',
  },
  saveAnswers: {
    ...questionCalls.saveAnswers,
    access: 'question_owner',
    body: z.object({ answers: z.array(editedAnswer).max(LIMITS.answers_per_question) }),
    answer: z.object({ answers: z.array(answer), ...idMap }),
    summary: 'Remplacer les réponses d’une question par celles-ci, dans cet ordre',
  },
  removeAnswer: {
    ...questionCalls.removeAnswer,
    access: 'question_owner',
    summary: 'Supprimer une réponse',
  },
})
