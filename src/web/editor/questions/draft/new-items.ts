import { DEFAULT_PAGE_NUMBER, type QuestionType } from '#domain/common/vocabulary.ts'
import { ANSWER_DEFAULTS, QUESTION_DEFAULTS } from '#domain/questionnaire/defaults.ts'
import type { Item } from '#domain/questionnaire/pages.ts'
import {
  type Answer,
  isChoice,
  type Question,
  type QuestionOptions,
  type TextBlock,
} from '#domain/questionnaire/quiz.ts'

/** Number of blank answers of a new multiple-choice question. */
const NEW_ANSWER_COUNT = 2

/** Quiz of a new item, and the function that returns new ids. */
export type CreationContext = { quiz_id: string; newId: () => string }

/** Returns a new answer; the reducer sets its position. */
export const createAnswer = (question_id: string, id: string, text = ''): Answer => ({
  id,
  question_id,
  text,
  score: null,
  position: 0,
  associations: [],
  ...ANSWER_DEFAULTS,
})

/** Returns a new blank question, with the defaults of missing options; the reducer sets its position. */
export const createQuestion = (
  type: QuestionType,
  { quiz_id, newId, options }: CreationContext & { options?: Partial<QuestionOptions> },
): Question => {
  const id = newId()
  const count = isChoice({ type }) ? NEW_ANSWER_COUNT : 0
  return {
    id,
    quiz_id,
    text: '',
    type,
    position: 0,
    global_position: 0,
    page_number: DEFAULT_PAGE_NUMBER,
    ...QUESTION_DEFAULTS,
    ...options,
    answers: Array.from({ length: count }, (_, position) => ({
      ...createAnswer(id, newId()),
      position,
    })),
  }
}

/** Returns a new blank text block; the reducer sets its position. */
export const createTextBlock = ({ quiz_id, newId }: CreationContext): TextBlock => ({
  id: newId(),
  quiz_id,
  content: '',
  global_position: 0,
  page_number: DEFAULT_PAGE_NUMBER,
})

/** Returns a copy of an item with new ids, including its scores and associations. */
export const copyItem = (item: Item, newId: () => string): Item => {
  if (item.kind === 'text_block')
    return { kind: 'text_block', text_block: { ...item.text_block, id: newId() } }
  const id = newId()
  const answers = item.question.answers.map((answer) => copyAnswer(answer, id, newId()))
  // The short name and the role are not copied, because each identifies one question.
  const question = { ...item.question, id, label: null, contact_role: null, answers }
  return { kind: 'question', question }
}

const copyAnswer = (answer: Answer, question_id: string, id: string): Answer => ({
  ...answer,
  id,
  question_id,
  associations: answer.associations.map((link) => ({
    ...link,
    id: `${id} ${link.result_id}`,
    answer_id: id,
  })),
})
