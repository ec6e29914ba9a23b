import { questionText } from '#domain/questionnaire/grids/question-names.ts'
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { correctionOf } from '#domain/run/corrections/corrections.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import {
  chosenAnswers,
  OTHER_NAME,
  otherText,
  replyPartsOf,
  scaleNumber,
} from '#domain/run/replies.ts'
import { readDimensions } from '#domain/run/stored-dimensions.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import { type ExportedParticipant, percentOf } from '#domain/statistics/participant-columns.ts'

/** Answer of a question with the number of people who chose it. */
type AnswerCount = { text: string; count: number; is_right: boolean }

/** Question with its figures. */
export type QuestionCounts = {
  text: string
  nb_answered: number
  /** Answers in the order of the newest version; an empty list for questions with typed replies. */
  answers: AnswerCount[]
  /** People whose reply is right; null for a question without a right answer. */
  nb_right: number | null
}

/** Mean of a figure in percent, with the number of people who have the figure. */
export type Mean = { name: string; mean: number; count: number }

/** Figures of the replies of a campaign. */
export type ResultCounts = {
  nb_replies: number
  /** Mean of the possible points; null without a score. */
  score: Mean | null
  results: { name: string; count: number }[]
  dimensions: Mean[]
  questions: QuestionCounts[]
}

type Sum = { name: string; sum: number; count: number }
type CountedQuestion = Omit<QuestionCounts, 'answers'> & { answers: Map<string, AnswerCount> }

const meanOf = ({ name, sum, count }: Sum): Mean => ({ name, mean: sum / count, count })

/** Creates the counter of the replies of a campaign. `versions` are its answered versions, newest first. */
export const createResultCounts = (versions: ReadonlyMap<number, Snapshot>) => {
  let nb_replies = 0
  const score: Sum = { name: 'Score', sum: 0, count: 0 }
  const results = new Map<string, number>()
  const dimensions = new Map<string, Sum>()
  const questions = new Map<string, CountedQuestion>()
  for (const snapshot of versions.values()) {
    for (const { id, name } of snapshot.dimensions ?? [])
      if (!dimensions.has(id)) dimensions.set(id, { name, sum: 0, count: 0 })
    for (const question of snapshot.questions)
      addQuestion(questions, question, questionText(snapshot.questions, question))
  }

  const addReplies = (snapshot: Snapshot, replies: Replies): void => {
    for (const question of visitedQuestions(snapshot.questions, replies)) {
      const counted = questions.get(question.id)
      if (counted) countReply(counted, question, replies)
    }
  }

  return {
    /** Counts one reply. */
    add: (stored: ExportedParticipant): void => {
      const snapshot = versions.get(stored.version)
      if (!snapshot) throw new Error(`Version ${stored.version} of a stored response is missing`)
      nb_replies++
      const percent = percentOf(snapshot, stored)
      if (percent !== null) {
        score.sum += percent
        score.count++
      }
      const result = snapshot.results[stored.result_position ?? -1]
      if (result) results.set(result.name, (results.get(result.name) ?? 0) + 1)
      for (const { dimension_id, percent } of readDimensions(snapshot, stored.dimension_percents)) {
        const sum = dimensions.get(dimension_id)
        if (!sum) continue
        sum.sum += percent
        sum.count++
      }
      addReplies(snapshot, unpackReplies(snapshot, stored))
    },
    /** Returns the figures of all counted replies. */
    read: (): ResultCounts => ({
      nb_replies,
      score: score.count > 0 ? meanOf(score) : null,
      results: [...results].map(([name, count]) => ({ name, count })),
      dimensions: [...dimensions.values()].filter(({ count }) => count > 0).map(meanOf),
      questions: [...questions.values()].map(({ answers, ...question }) => ({
        ...question,
        answers: [...answers.values()],
      })),
    }),
  }
}

const addQuestion = (
  questions: Map<string, CountedQuestion>,
  question: SnapshotQuestion,
  text: string,
): void => {
  const counted = questions.get(question.id) ?? {
    text,
    nb_answered: 0,
    answers: new Map<string, AnswerCount>(),
    nb_right: question.answers.some(({ is_correct }) => is_correct) ? 0 : null,
  }
  questions.set(question.id, counted)
  for (const { id, is_correct = false, ...answer } of question.answers)
    if (!counted.answers.has(id))
      counted.answers.set(id, { text: answer.text, count: 0, is_right: is_correct })
}

const countReply = (
  counted: CountedQuestion,
  question: SnapshotQuestion,
  replies: Replies,
): void => {
  const parts = replyPartsOf(replies, question)
  if (parts.length === 0) return
  counted.nb_answered++
  if (correctionOf(question, replies)?.verdict === 'right')
    counted.nb_right = (counted.nb_right ?? 0) + 1
  const add = (key: string, text: string): void => {
    const answer = counted.answers.get(key) ?? { text, count: 0, is_right: false }
    counted.answers.set(key, { ...answer, count: answer.count + 1 })
  }
  for (const { id, text } of chosenAnswers(question, replies)) add(id, text)
  if (isChoice(question) && parts.some((part) => otherText(part) !== undefined))
    // Typed texts are in the workbook only.
    add(OTHER_NAME, OTHER_NAME)
  const number = question.type === 'scale' ? scaleNumber(question, replies) : null
  if (number !== null) add(String(number), String(number))
}
