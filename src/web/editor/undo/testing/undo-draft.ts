import {
  ACCESS_DEFAULTS,
  ANSWER_DEFAULTS,
  ENDING_DEFAULTS,
  PAGE_DEFAULTS,
  QUESTION_DEFAULTS,
  TIE_DEFAULTS,
} from '#domain/questionnaire/defaults.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'

/** Draft with one question, text block and result, for tests of undo texts. */

const at = '2026-01-01T00:00:00.000Z'
/** Returns an answer of `question`. */
export const answer = (
  id: string,
  text: string,
  position: number,
  score: number | null = null,
) => ({
  id,
  question_id: 'q1',
  text,
  score,
  position,
  ...ANSWER_DEFAULTS,
  associations: [],
})
export const question = {
  id: 'q1',
  quiz_id: 'quiz',
  text: 'Votre agenda ?',
  type: 'multiple_choice' as const,
  position: 0,
  global_position: 0,
  page_number: 1,
  ...QUESTION_DEFAULTS,
  answers: [answer('a1', 'Rempli', 0, 1), answer('a2', 'Libre', 1, 3)],
}
export const block = {
  id: 'b1',
  quiz_id: 'quiz',
  content: 'Bonjour',
  global_position: 1,
  page_number: 1,
}
export const result = {
  id: 'r1',
  quiz_id: 'quiz',
  name: 'Pas à pas',
  description: null,
  priority_order: 0,
  min_score: 0,
  max_score: 3,
  ...ENDING_DEFAULTS,
  updated_at: at,
}
// Contains only the fields that the description reads.
export const draft = {
  quiz: {
    name: 'Mon quiz',
    type: 'quiz',
    bg_color: null,
    ...PAGE_DEFAULTS,
    ...ACCESS_DEFAULTS,
    ...TIE_DEFAULTS,
  },
  quiz_mode: 'score',
  questions: [question],
  text_blocks: [block],
  dimensions: [],
  results: [result],
  text_variants: [],
} as unknown as Draft
