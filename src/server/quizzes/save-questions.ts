import type {
  EditedAnswer,
  EditedDraft,
  EditedQuestion,
  EditedTextBlock,
} from '#contract/edited.ts'
import { renumber } from '#domain/arrange.ts'
import { modeAfterEdit } from '#domain/mode.ts'
import type { Answer, Question, Result, TextBlock } from '#domain/quiz.ts'
import type { QuizMode } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/errors.ts'
import { uuidv7 } from '#server/uuid.ts'
import { listContent, listResults } from './draft.store.ts'
import { createIds, type IdMap } from './id-map.ts'
import {
  writeAnswers,
  writeAssociations,
  writeQuestions,
  writeTextBlocks,
} from './questions.store.ts'
import { lockQuiz, updateQuiz } from './quizzes.store.ts'
import { writeResults } from './results.store.ts'

export type Content = { questions: Question[]; text_blocks: TextBlock[] }

/**
 * Makes the stored questions, text blocks and thresholds equal to those of the editor, within the
 * caller's transaction (spec §7 « smart »). Saving the same twice changes nothing the second time.
 */
export const saveQuestions = async (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
  edited: EditedDraft,
) => {
  const { quiz_id } = owned
  const { quiz_mode: mode } = await lockQuiz(db, owned, edited.based_on)
  const results = await listResults(db, quiz_id)
  const { content, id_map } = readDraft(quiz_id, edited)
  await writeContent(db, quiz_id, { content, results })
  await saveThresholds(db, quiz_id, { results, thresholds: edited.score_thresholds })
  const quiz_mode = modeAfterEdit(mode, content.questions, edited.quiz_mode ?? null)
  await updateQuiz(db, quiz_id, { quiz_mode })
  return { ...(await readUnified(db, quiz_id, quiz_mode)), id_map }
}

/** Everything the questions screen shows of a quiz whose owner is known (spec §3 « Unified »). */
export const readUnified = async (db: Db, quiz_id: string, quiz_mode: QuizMode) => {
  const content = await listContent(db, quiz_id)
  const score_thresholds = Object.fromEntries(
    content.results.map(({ id, min_score, max_score }) => [id, { min_score, max_score }]),
  )
  return { ...content, quiz_mode, score_thresholds }
}

/**
 * Writes a whole content. 422, and nothing written, when it names a result that is not the quiz's or an
 * id that is something else's.
 */
export const writeContent = async (
  db: Db,
  quiz_id: string,
  { content, results }: { content: Content; results: readonly Result[] },
): Promise<void> => {
  const { questions, text_blocks } = renumber(content)
  const answers = questions.flatMap((question) => question.answers)
  const associations = answers.flatMap((answer) => answer.associations)
  const known = new Set(results.map(({ id }) => id))
  const stranger = associations.find(({ result_id }) => !known.has(result_id))
  if (stranger) throw unknownResult(stranger.result_id)
  await writeQuestions(db, quiz_id, questions)
  await writeAnswers(db, quiz_id, answers)
  await writeAssociations(db, quiz_id, associations)
  await writeTextBlocks(db, quiz_id, text_blocks)
}

const unknownResult = (id: string) =>
  invalid(`Le résultat ${id} ne fait pas partie de ce quiz`, 'result_id')

/** The editor's draft with stored ids; blank text blocks are left out (spec §5). */
const readDraft = (quiz_id: string, edited: EditedDraft): { content: Content; id_map: IdMap } => {
  const ids = createIds()
  const content = {
    questions: edited.questions.map((question, index) =>
      readQuestion(quiz_id, question, { index, idOf: ids.stored }),
    ),
    text_blocks: edited.text_blocks
      .filter(({ content: text }) => text.trim() !== '')
      .map((block, index) => readTextBlock(quiz_id, block, { index, idOf: ids.stored })),
  }
  return { content, id_map: ids.id_map }
}

type Reading = { index: number; idOf: (sent: string | undefined) => string }

/** A question as sent, with its stored id; only multiple choice has answers. */
export const readQuestion = (
  quiz_id: string,
  { id: sent, text, type, global_position, page_number, answers }: EditedQuestion,
  { index, idOf }: Reading,
): Question => {
  const id = idOf(sent)
  const offered = type === 'multiple_choice' ? inSentOrder(answers) : []
  return {
    id,
    quiz_id,
    text,
    type,
    position: index,
    global_position: global_position ?? index,
    page_number,
    answers: offered.map((answer, position) => readAnswer(id, answer, { index: position, idOf })),
  }
}

const inSentOrder = (answers: readonly EditedAnswer[]): EditedAnswer[] =>
  answers
    .map((answer, index) => ({ answer, rank: answer.position ?? index }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ answer }) => answer)

/** An answer as sent, with its stored id; of two associations with one result, the last counts. */
export const readAnswer = (
  question_id: string,
  { id: sent, text, score, associations }: EditedAnswer,
  { index, idOf }: Reading,
): Answer => {
  const id = idOf(sent)
  const byResult = new Map(associations.map((link) => [link.result_id, link]))
  return {
    id,
    question_id,
    text,
    score,
    position: index,
    associations: [...byResult.values()].map((link) => ({ id: uuidv7(), answer_id: id, ...link })),
  }
}

const readTextBlock = (
  quiz_id: string,
  { id, content, global_position, page_number }: EditedTextBlock,
  { index, idOf }: Reading,
): TextBlock => ({
  id: idOf(id),
  quiz_id,
  content,
  global_position: global_position ?? index,
  page_number,
})

const saveThresholds = async (
  db: Db,
  quiz_id: string,
  {
    results,
    thresholds,
  }: { results: readonly Result[]; thresholds: EditedDraft['score_thresholds'] },
): Promise<void> => {
  const known = new Map(results.map((result) => [result.id, result]))
  const rows = Object.entries(thresholds).map(([id, bounds]) => {
    const result = known.get(id)
    if (!result) throw unknownResult(id)
    const { name, description, priority_order } = result
    return { id, name, description, priority_order, ...bounds }
  })
  if (rows.length > 0) await writeResults(db, quiz_id, rows)
}
