import { randomUUIDv7 } from 'node:crypto'
import type { EditedAnswer, EditedDraft, EditedQuestion } from '#contract/edited-draft.ts'
import { isBlankText } from '#domain/common/text.ts'
import type { AnswerInput, QuestionInput } from '#domain/editing/edits.ts'
import type { Content } from '#domain/questionnaire/pages.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import { invalid } from '#server/http/edge/errors.ts'

/** Stored id of each temporary id in a save (product 5.5). */
type IdMap = Record<string, string>

/**
 * Creates a function that returns the stored id of each item of a save: its own UUID, or a new id. The function
 * throws a 422 if one save uses an id twice.
 */
export const createIds = (): { stored: (sent: string | undefined) => string; id_map: IdMap } => {
  const seen = new Set<string>()
  const id_map: IdMap = {}
  return {
    id_map,
    stored: (sent) => {
      if (sent === undefined) return randomUUIDv7()
      if (seen.has(sent)) throw invalid(`L'identifiant ${sent} est présent deux fois`, 'id')
      seen.add(sent)
      if (!sent.startsWith('temp_')) return sent
      const id = randomUUIDv7()
      id_map[sent] = id
      return id
    },
  }
}

type GivenContent = Pick<Content, 'text_blocks'> & { questions: QuestionInput[] }

/** Converts the editor's draft to content with stored ids. Blank text blocks are left out (product 3.3). */
export const readContent = (
  quiz_id: string,
  edited: EditedDraft,
): { content: GivenContent; id_map: IdMap } => {
  const { stored: idOf, id_map } = createIds()
  const questions = edited.questions.map((question, index) =>
    readQuestion(quiz_id, question, { index, idOf }),
  )
  const text_blocks = edited.text_blocks
    .filter(({ content: text }) => !isBlankText(text))
    .map(({ id, global_position, ...block }, index) => ({
      ...block,
      id: idOf(id),
      quiz_id,
      global_position: global_position ?? index,
    }))
  return { content: { questions, text_blocks }, id_map }
}

type ParsingContext = { index: number; idOf: (sent: string | undefined) => string }

/** Converts a question of the editor to a stored question. Only choice questions keep answers. */
export const readQuestion = (
  quiz_id: string,
  { id: sent, type, global_position, answers, ...fields }: EditedQuestion,
  { index, idOf }: ParsingContext,
): QuestionInput => {
  const id = idOf(sent)
  const offered = isChoice({ type }) ? inSentOrder(answers) : []
  return {
    ...fields,
    id,
    quiz_id,
    type,
    position: index,
    global_position: global_position ?? index,
    answers: offered.map((answer, position) => readAnswer(id, answer, { index: position, idOf })),
  }
}

const inSentOrder = (answers: readonly EditedAnswer[]): EditedAnswer[] =>
  answers
    .map((answer, index) => ({ answer, rank: answer.position ?? index }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ answer }) => answer)

/** Converts an answer of the editor to a stored answer. If two associations name the same result, the last is kept. */
export const readAnswer = (
  question_id: string,
  { id: sent, associations, ...fields }: EditedAnswer,
  { index, idOf }: ParsingContext,
): AnswerInput => {
  const id = idOf(sent)
  const byResult = new Map(associations.map((link) => [link.result_id, link]))
  return {
    ...fields,
    id,
    question_id,
    position: index,
    associations: [...byResult.values()].map((link) => ({
      id: randomUUIDv7(),
      answer_id: id,
      ...link,
    })),
  }
}
