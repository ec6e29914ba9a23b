import { modeAfterEdit } from './mode.ts'
import { withRow } from './ordered-rows.ts'
import type { Content } from './pages.ts'
import { type Answer, type Draft, isChoice, type Question } from './quiz.ts'

/**
 * Points of right answers. No field holds them: they are the scores that follow the marks, so that a question has its
 * points in one place, and a hand-typed score is kept.
 */

/** Points of each right answer of a new quiz. */
const DEFAULT_POINTS = 1

const hasRightAnswer = ({ answers }: Pick<Question, 'answers'>): boolean =>
  answers.some(({ is_correct }) => is_correct)

/** Returns true for a question whose points a mark may set: a choice with a right answer. */
const isCorrected = (question: Question): boolean => isChoice(question) && hasRightAnswer(question)

/**
 * Returns the points of each right answer if the other answers have none; null for other scores, which the creator
 * typed.
 */
const ownPoints = ({ answers }: Pick<Question, 'answers'>): number | null => {
  const points = answers.find(({ is_correct }) => is_correct)?.score ?? 0
  const follows = answers.every(({ is_correct, score }) =>
    is_correct ? score === points : score === null || score === 0,
  )
  return follows && points > 0 ? points : null
}

/** Returns the points that most questions give for a right answer; null if no question has such points. */
const commonPoints = (questions: readonly Question[]): number | null => {
  const counts = new Map<number, number>()
  for (const question of questions.filter(isCorrected)) {
    const points = ownPoints(question)
    if (points !== null) counts.set(points, (counts.get(points) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([a, x], [b, y]) => y - x || a - b)
  return most?.[0] ?? null
}

/** Returns the points for a right answer in this draft, 1 unless its questions have others. */
export const rightAnswerPoints = ({ questions }: Pick<Content, 'questions'>): number =>
  commonPoints(questions) ?? DEFAULT_POINTS

/** Returns the answers with points for each right one and 0 for the others; without a score if none is right. */
const scoredAnswers = (answers: Answer[], points: number): Answer[] => {
  const other_score = hasRightAnswer({ answers }) ? 0 : null
  return answers.map((answer) => ({
    ...answer,
    score: answer.is_correct ? points : other_score,
  }))
}

/**
 * Returns the content after an answer was marked as right or wrong. With `has_scores`, the right answers get their
 * points and the others 0, unless the creator typed other scores for this question.
 */
export const markAnswer = <C extends Content>(
  content: C,
  {
    question_id,
    answer_id,
    is_correct,
    has_scores,
  }: { question_id: string; answer_id: string; is_correct: boolean; has_scores: boolean },
): C => ({
  ...content,
  questions: withRow(content.questions, question_id, (question) => {
    const points = pointsOfMark(content, question)
    const answers = withRow(question.answers, answer_id, (answer) => ({ ...answer, is_correct }))
    return {
      ...question,
      answers: has_scores && points !== null ? scoredAnswers(answers, points) : answers,
    }
  }),
})

/** Returns the points that a mark gives in a question; null if the creator typed other scores. */
const pointsOfMark = (content: Pick<Content, 'questions'>, question: Question): number | null => {
  if (hasRightAnswer(question)) return ownPoints(question)
  const is_unscored = question.answers.every(({ score }) => score === null || score === 0)
  return is_unscored ? rightAnswerPoints(content) : null
}

type PointsDraft = Pick<Draft, 'questions' | 'quiz_mode'>

/**
 * Returns the draft in which each right answer has these points, as a quiz by score. Hand-typed scores stay unless
 * `replaces_typed`. A quiz by profiles is unchanged.
 */
export const setRightAnswerPoints = <D extends PointsDraft>(
  draft: D,
  points: number,
  { replaces_typed = false } = {},
): D => {
  if (draft.quiz_mode === 'profils') return draft
  const questions = draft.questions.map((question) =>
    isCorrected(question) && (replaces_typed || ownPoints(question) !== null)
      ? { ...question, answers: scoredAnswers(question.answers, points) }
      : question,
  )
  return { ...draft, questions, quiz_mode: modeAfterEdit(draft.quiz_mode, questions) }
}

/** Returns the number of questions that have a right answer. */
export const countCorrectedQuestions = ({ questions }: Pick<Draft, 'questions'>): number =>
  questions.filter(isCorrected).length

/** Returns the number of questions with a right answer whose scores the creator typed. */
export const countTypedScores = ({ questions }: Pick<Draft, 'questions'>): number =>
  questions.filter((question) => isCorrected(question) && ownPoints(question) === null).length
