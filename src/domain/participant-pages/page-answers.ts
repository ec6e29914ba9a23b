import { questionText } from '#domain/questionnaire/grids/question-names.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { replyTexts } from '#domain/run/replies.ts'

/** Question that a participant saw, with their reply. */
export type PageAnswer = {
  question_id: string
  question: string
  /** Texts of the chosen answers, or the typed text; empty without a reply. */
  answers: string[]
}

/** Returns the questions that a participant saw in their order, with the replies. */
export const pageAnswers = (
  { questions }: Pick<Snapshot, 'questions'>,
  replies: Replies,
): PageAnswer[] =>
  visitedQuestions(questions, replies).map((question) => ({
    question_id: question.id,
    question: questionText(questions, question),
    answers: replyTexts(question, replies),
  }))
