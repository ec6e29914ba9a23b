import type { Client } from '#contract/client.ts'
import type { Question, QuizColors, Result, TextBlock } from '#domain/quiz.ts'
import { LIMITS } from '#domain/vocabulary.ts'

/** What the questions screen shows of the original, its results included. */
type Content = Awaited<ReturnType<Client['questions']['unified']>>

const SUFFIX = ' (copie)'

/** The name of a copy: a long one is cut short, so that what it is can still be read. */
export const copyName = (name: string): string => {
  const start = name.slice(0, LIMITS.quiz_name - SUFFIX.length)
  // Half of a character that takes two places would be refused.
  return `${start.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}${SUFFIX}`
}

/** The five colours alone, those never set included. */
export const colorsOf = ({
  bg_color,
  text_color,
  button_color,
  button_text_color,
  accent_color,
}: QuizColors): QuizColors => ({
  bg_color,
  text_color,
  button_color,
  button_text_color,
  accent_color,
})

/** The content of a copy as the saves take it: the same but for its ids, each of which is new. */
export const duplicateDraft = (content: Content, createId: () => string) => {
  const resultIds = new Map(content.results.map(({ id }) => [id, createId()]))
  return {
    results: content.results.map((result) => duplicateResult(result, resultIds)),
    draft: {
      questions: content.questions.map((question) =>
        duplicateQuestion(question, { resultIds, createId }),
      ),
      text_blocks: content.text_blocks.map((block) => duplicateTextBlock(block, createId)),
      score_thresholds: Object.fromEntries(
        Object.entries(content.score_thresholds).flatMap(([id, bounds]) => {
          const result_id = resultIds.get(id)
          return result_id ? [[result_id, bounds]] : []
        }),
      ),
      quiz_mode: content.quiz_mode,
    },
  }
}

type ResultIds = ReadonlyMap<string, string>

const duplicateResult = (
  { id, name, description, priority_order }: Result,
  resultIds: ResultIds,
) => ({ id: resultIds.get(id), name, description, priority_order })

const duplicateQuestion = (
  { text, type, global_position, page_number, answers }: Question,
  { resultIds, createId }: { resultIds: ResultIds; createId: () => string },
) => ({
  id: createId(),
  text,
  type,
  global_position,
  page_number,
  answers: answers.map(({ text, score, position, associations }) => ({
    id: createId(),
    text,
    score,
    position,
    associations: associations.map(({ result_id, weight, is_checked }) => ({
      result_id: resultIds.get(result_id),
      weight,
      is_checked,
    })),
  })),
})

const duplicateTextBlock = (
  { content, global_position, page_number }: TextBlock,
  createId: () => string,
) => ({ id: createId(), content, global_position, page_number })
