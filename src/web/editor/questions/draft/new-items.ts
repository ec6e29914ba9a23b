import {
  DEFAULT_PAGE_NUMBER,
  DEFAULT_WEIGHT,
  MAX_WHOLE_NUMBER,
  type QuestionType,
} from '#domain/common/vocabulary.ts'
import { ANSWER_DEFAULTS, QUESTION_DEFAULTS } from '#domain/questionnaire/defaults.ts'
import type { Item } from '#domain/questionnaire/pages.ts'
import { type Answer, isChoice, type Question, type TextBlock } from '#domain/questionnaire/quiz.ts'

/** Number of blank answers of a new multiple-choice question. */
const FIRST_ANSWERS = 2

type Made = { quiz_id: string; newId: () => string }

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

/** Returns a new blank question; the reducer sets its position. */
export const createQuestion = (type: QuestionType, { quiz_id, newId }: Made): Question => {
  const id = newId()
  const count = isChoice({ type }) ? FIRST_ANSWERS : 0
  return {
    id,
    quiz_id,
    text: '',
    type,
    position: 0,
    global_position: 0,
    page_number: DEFAULT_PAGE_NUMBER,
    ...QUESTION_DEFAULTS,
    answers: Array.from({ length: count }, (_, position) => ({
      ...createAnswer(id, newId()),
      position,
    })),
  }
}

/** Returns a new blank text block; the reducer sets its position. */
export const createTextBlock = ({ quiz_id, newId }: Made): TextBlock => ({
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
  // The short name is not copied, because it identifies one question.
  return { kind: 'question', question: { ...item.question, id, label: null, answers } }
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

/**
 * Returns a pasted whole number in the form that a number field accepts; null for other text. Browsers drop a
 * typographic minus and would turn −3 into 3.
 */
export const readPastedInteger = (text: string): string | null => {
  const plain = text.replaceAll(/[\s\u00a0\u202f]/g, '').replace(/^[−–]/, '-')
  return /^[+-]?\d+$/.test(plain) ? plain.replace('+', '') : null
}

/** Parses a typed score; empty or invalid text is 0 (spec §5 « Questions »). */
export const readScore = (typed: string): number => readInteger(typed) ?? 0

/** Parses a typed weight, at least 0; empty text is the weight of a new association. */
export const readWeight = (typed: string): number =>
  Math.max(0, readInteger(typed) ?? DEFAULT_WEIGHT)

/** Parses a typed bound of a tier, at least 0; null for empty text (spec §5 « Questions »). */
export const readThreshold = (typed: string): number | null => {
  const bound = readInteger(typed)
  return bound === null ? null : Math.max(0, bound)
}

const readInteger = (typed: string): number | null => {
  const value = Number.parseInt(typed, 10)
  if (Number.isNaN(value)) return null
  return Math.max(-MAX_WHOLE_NUMBER, Math.min(value, MAX_WHOLE_NUMBER))
}
