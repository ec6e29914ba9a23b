import { z } from 'zod'
import { LIMITS } from '#domain/vocabulary.ts'
import { calls } from './calls.ts'
import { editedAnswer, editedDraft, editedQuestion } from './edited.ts'
import { group, LARGEST_SAVE } from './endpoint.ts'
import { given } from './page-fields.ts'
import {
  answer,
  pageNumber,
  question,
  quizMode,
  rank,
  result,
  scoreThreshold,
  textBlock,
} from './shapes.ts'
import { text, uuid } from './text-shapes.ts'

const { questions: at } = calls
const oneQuestion = z.object({ question })
/** What became of temporary ids (decisions « Temporary ids »). */
const idMap = { id_map: z.record(z.string(), uuid) }
const unified = z.object({
  questions: z.array(question),
  text_blocks: z.array(textBlock),
  results: z.array(result),
  quiz_mode: quizMode,
  score_thresholds: z.record(uuid, scoreThreshold),
})

/** Questions, their answers, text blocks and thresholds (spec §7). */
export const questions = group({
  list: {
    ...at.list,
    access: 'creator',
    answer: z.object({ questions: z.array(question) }),
    summary: 'Questions in their order, with answers and associations',
  },
  unified: {
    ...at.unified,
    access: 'creator',
    answer: unified,
    summary: 'Everything the questions screen shows',
  },
  saveDraft: {
    ...at.saveDraft,
    access: 'creator',
    body: editedDraft,
    largest_body: LARGEST_SAVE,
    answer: unified.extend(idMap),
    summary: 'Make the stored questions, blocks and thresholds equal to these',
  },
  create: {
    ...at.create,
    creates: true,
    access: 'creator',
    body: editedQuestion.extend({ id: uuid.optional() }),
    answer: oneQuestion.extend(idMap),
    summary: 'Add a question, at the end of its page unless global_position says otherwise',
  },
  update: {
    ...at.update,
    access: 'creator',
    body: z.object({
      text: text(LIMITS.question_text).optional(),
      ...given.questionExtras,
      global_position: rank.optional(),
      page_number: pageNumber.optional(),
    }),
    answer: oneQuestion,
    summary: 'Change the given fields of a question; its type stays',
  },
  remove: { ...at.remove, access: 'creator', summary: 'Delete a question and its answers' },
  addAnswer: {
    ...at.addAnswer,
    creates: true,
    access: 'creator',
    body: editedAnswer.extend({ id: uuid.optional() }),
    answer: z.object({ answer }),
    summary: 'Add an answer, last unless position says otherwise',
  },
  saveAnswers: {
    ...at.saveAnswers,
    access: 'creator',
    body: z.object({ answers: z.array(editedAnswer).max(LIMITS.answers_per_question) }),
    answer: z.object({ answers: z.array(answer), ...idMap }),
    summary: "Make a question's answers equal to these, in this order",
  },
  removeAnswer: { ...at.removeAnswer, access: 'creator', summary: 'Delete an answer' },
})
