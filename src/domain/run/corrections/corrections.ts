import type { CorrectionMoment } from '#domain/common/vocabulary.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { OTHER_NAME, otherText, replyPartsOf } from '#domain/run/replies.ts'
import type { ChosenLabel } from '#domain/run/wording/page-wording.ts'
import { isRight, type QuestionAnswers } from './is-right.ts'

/** Right answers: which replies are right, and the words that every surface uses for them. */

/** Returns the right answers of a question in their order; empty if the question is not corrected. */
export const rightAnswersOf = ({ answers }: Pick<QuestionAnswers, 'answers'>): SnapshotAnswer[] =>
  answers.filter(({ is_correct }) => is_correct)

/** Returns true if the question has a right answer, so that its replies are right or wrong. */
const isCorrected = ({ answers }: Pick<QuestionAnswers, 'answers'>): boolean =>
  answers.some(({ is_correct }) => is_correct)

/** Form field of runs without scripts with the numbers of the pages whose corrections were shown. */
export const CORRECTED_FIELD = 'corrected'

/** Page with its items, whose questions may be corrected. */
type CorrectedPage = {
  items: readonly ({ kind: 'question'; question: QuestionAnswers } | { kind: 'text_block' })[]
}

/**
 * Returns true if a run shows the corrections of a page before it goes on. `locked` has the ids of the questions whose
 * correction was shown.
 */
export const hasUnseenCorrections = (
  moment: CorrectionMoment | undefined,
  { items }: CorrectedPage,
  locked: readonly string[] = [],
): boolean =>
  moment === 'page' &&
  items.some(
    (item) =>
      item.kind === 'question' && isCorrected(item.question) && !locked.includes(item.question.id),
  )

/** Verdict on a reply. Several choices are partly right if at least one right answer is chosen. */
export type Verdict = 'right' | 'partial' | 'incorrect' | 'blank'

/** Answer of a corrected question. */
export type CorrectedAnswer = {
  id: string
  text: string
  is_right: boolean
  is_chosen: boolean
}

/** Correction of the reply to one question. */
export type Correction = {
  question_id: string
  verdict: Verdict
  /** All answers in the order of the question, without « Autre ». */
  answers: CorrectedAnswer[]
  /** Text typed next to « Autre », which is wrong; undefined unless « Autre » is chosen. */
  other: string | undefined
}

/** Returns the correction of a reply; null if the question has no right answer. */
export const correctionOf = (question: SnapshotQuestion, replies: Replies): Correction | null => {
  if (!isCorrected(question)) return null
  const parts = replyPartsOf(replies, question)
  const answers = question.answers.map(({ id, text, is_correct = false }) => ({
    id,
    text,
    is_right: is_correct,
    is_chosen: parts.includes(id),
  }))
  return {
    question_id: question.id,
    verdict: verdictOn(question, replies),
    answers,
    other: parts.map(otherText).find((text) => text !== undefined),
  }
}

const verdictOn = (question: SnapshotQuestion, replies: Replies): Verdict => {
  if (isRight(question, replies)) return 'right'
  const parts = replyPartsOf(replies, question)
  if (parts.length === 0) return 'blank'
  return question.answers.some(({ id, is_correct }) => is_correct && parts.includes(id))
    ? 'partial'
    : 'incorrect'
}

/** Returns the corrections of the questions on the path of a run, in their order. */
export const correctionsOf = (
  questions: readonly SnapshotQuestion[],
  replies: Replies,
): Correction[] =>
  visitedQuestions(questions, replies).flatMap((question) => correctionOf(question, replies) ?? [])

/** French words for the verdicts. */
export const VERDICT_LABELS: Readonly<Record<Verdict, string>> = {
  right: 'Bonne réponse',
  partial: 'Réponse en partie juste',
  incorrect: 'Mauvaise réponse',
  blank: 'Sans réponse',
}

/** Signs of the verdicts, so that colour is never their only mark. */
export const VERDICT_SIGNS: Readonly<Record<Verdict, string>> = {
  right: '✓',
  partial: '≈',
  incorrect: '✗',
  blank: '–',
}

/** Sign and label of a corrected answer. */
type AnswerMark = { sign: string; label: ChosenLabel | 'bonne réponse' }

/** Mark of a chosen wrong answer, also of « Autre ». */
export const CHOSEN_WRONG: AnswerMark = { sign: '✗', label: 'votre réponse, fausse' }

/** Returns the mark of an answer; null for an answer that is neither right nor chosen. */
export const answerMark = ({
  is_right,
  is_chosen,
}: Pick<CorrectedAnswer, 'is_right' | 'is_chosen'>): AnswerMark | null => {
  if (is_chosen)
    return is_right ? { sign: VERDICT_SIGNS.right, label: 'votre réponse, juste' } : CHOSEN_WRONG
  return is_right ? { sign: VERDICT_SIGNS.right, label: 'bonne réponse' } : null
}

/** Returns the chosen « Autre » with its text, as corrections name it. */
export const otherLabel = (text: string): string => (text ? `${OTHER_NAME} : ${text}` : OTHER_NAME)

/** Returns the summary of corrections, such as « 2 réponses justes sur 3 ». */
export const correctionsSummary = (corrections: readonly Pick<Correction, 'verdict'>[]): string => {
  const nb_right = corrections.filter(({ verdict }) => verdict === 'right').length
  const noun = nb_right > 1 ? 'réponses justes' : 'réponse juste'
  return `${nb_right} ${noun} sur ${corrections.length}`
}
