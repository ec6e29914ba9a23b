import { modeAfterEdit } from '#domain/mode.ts'
import type { Question } from '#domain/quiz.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { listContent } from './draft.store.ts'
import { loadQuizOfQuestion } from './questions.store.ts'
import { loadQuiz, updateQuiz } from './quizzes.store.ts'
import { type Content, writeContent } from './save-questions.ts'

type Owned = { quiz_id: string; creator_id: string }

/**
 * Changes the questions and blocks of a quiz as one, in a transaction that holds the quiz: the small
 * calls of spec §7 are the autosave with a change computed here. 422 past the limits of a quiz.
 */
export const editContent = (
  db: Db,
  owned: Owned,
  change: (content: Content) => Content,
): Promise<Content> =>
  db.transaction().execute(async (transaction) => {
    const { quiz_id } = owned
    const { quiz_mode } = await loadQuiz(transaction, owned, 'lock')
    const { results, ...content } = await listContent(transaction, quiz_id)
    const changed = change(content)
    checkLimits(changed)
    await writeContent(transaction, quiz_id, { content: changed, results })
    await updateQuiz(transaction, quiz_id, {
      quiz_mode: modeAfterEdit(quiz_mode, changed.questions),
    })
    return listContent(transaction, quiz_id)
  })

/** The same for a question known by its id alone; gives it as stored, undefined once it is removed. */
export const editQuestion = async (
  db: Db,
  { question_id, creator_id }: { question_id: string; creator_id: string },
  change: (question: Question, content: Content) => Content,
): Promise<Question | undefined> => {
  const quiz_id = await loadQuizOfQuestion(db, { question_id, creator_id })
  const { questions } = await editContent(db, { quiz_id, creator_id }, (content) =>
    change(loadQuestion(content, question_id), content),
  )
  return questions.find(({ id }) => id === question_id)
}

/** One question of a content; 404 when it is not there (any more). */
export const loadQuestion = ({ questions }: Pick<Content, 'questions'>, id: string): Question => {
  const question = questions.find((candidate) => candidate.id === id)
  if (!question) throw notFound('Question introuvable')
  return question
}

/** The content with one question in another state. */
export const withQuestion = (content: Content, question: Question): Content => ({
  ...content,
  questions: content.questions.map((other) => (other.id === question.id ? question : other)),
})

const checkLimits = ({ questions }: Content): void => {
  if (questions.length > LIMITS.questions)
    throw invalid(`Un quiz a ${LIMITS.questions} questions au plus`)
  if (questions.some(({ answers }) => answers.length > LIMITS.answers_per_question))
    throw invalid(`Une question a ${LIMITS.answers_per_question} réponses au plus`)
}
