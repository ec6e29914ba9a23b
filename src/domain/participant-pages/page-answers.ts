import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { chosenTexts, formatReply } from '#domain/run/replies.ts'

/** Question that a participant saw, with their reply. */
export type PageAnswer = {
  question_id: string
  question: string
  /** Texts of the chosen answers, or the typed text; empty without a reply. */
  answers: string[]
}

/** Returns the texts of a reply; empty without a reply. */
const answersOf = (question: SnapshotQuestion, replies: Replies): string[] => {
  const chosen = chosenTexts(question, replies)
  const written = chosen.length > 0 ? chosen : [formatReply(question, replies)]
  return written.filter((text) => text.trim() !== '')
}

/** Returns the questions that a participant saw in their order, with the replies. */
export const pageAnswers = (
  { questions }: Pick<Snapshot, 'questions'>,
  replies: Replies,
): PageAnswer[] =>
  visitedQuestions(questions, replies).map((question) => ({
    question_id: question.id,
    question: question.text,
    answers: answersOf(question, replies),
  }))
