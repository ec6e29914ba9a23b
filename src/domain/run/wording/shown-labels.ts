import type { ButtonLabels } from '#domain/questionnaire/quiz.ts'
import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'
import { LABEL_FIELDS } from './page-wording.ts'

/** Field of a button label. */
export type LabelName = keyof ButtonLabels

type LabelledQuiz = Pick<
  Quiz,
  'type' | 'shows_corrections' | 'allows_restart' | 'report' | 'certificate_percent'
>

/** Returns the default text of a button. */
export const defaultLabelOf = (quiz: Pick<Quiz, 'type'>, name: LabelName): string => {
  const texts = Object.keys(LABEL_FIELDS).filter((text) => LABEL_FIELDS[text] === name)
  return (isSondage(quiz) ? texts.at(-1) : texts[0]) ?? ''
}

/** Returns true if the public page of a quiz can show a button. */
export const isLabelShown = (quiz: LabelledQuiz, name: LabelName): boolean => {
  switch (name) {
    case 'continue_label':
      return !isSondage(quiz) && quiz.shows_corrections === 'page'
    case 'restart_label':
      return quiz.allows_restart
    case 'share_label':
      return !isSondage(quiz)
    case 'report_label':
      return quiz.report !== 'none'
    case 'certificate_label':
      return !isSondage(quiz) && quiz.certificate_percent !== null
    default:
      return true
  }
}
