import { type Draft, isChoice, type Question } from './quiz.ts'

/** Returns the question with one point for each right answer and none for the others; unchanged if no answer is right. */
const withRightScores = (question: Question): Question =>
  isChoice(question) && question.answers.some(({ is_correct }) => is_correct)
    ? {
        ...question,
        answers: question.answers.map((answer) => ({
          ...answer,
          score: answer.is_correct ? 1 : 0,
        })),
      }
    : question

/** Returns the draft with one point for each right answer, as a quiz by score unless it is one by profiles. */
export const fillRightScores = <D extends Pick<Draft, 'questions' | 'quiz_mode'>>(draft: D): D =>
  draft.quiz_mode === 'profils'
    ? draft
    : { ...draft, quiz_mode: 'score', questions: draft.questions.map(withRightScores) }

/** Returns the number of questions that have a right answer. */
export const countCorrectedQuestions = ({ questions }: Pick<Draft, 'questions'>): number =>
  questions.filter(
    (question) => isChoice(question) && question.answers.some(({ is_correct }) => is_correct),
  ).length
