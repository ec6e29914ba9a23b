import { isBlankText } from '#domain/common/text.ts'
import type { QuizPage } from '#domain/questionnaire/look/quiz-page.ts'
import { contactRoleOf } from './contact-roles.ts'
import {
  CHOICE_DEFAULTS,
  COMMON_QUESTION_DEFAULTS,
  DIMENSION_DEFAULTS,
  GRID_DEFAULTS,
  isScaleFrom0To10,
  PAGE_DEFAULTS,
  SCALE_DEFAULTS,
  TYPED_DEFAULTS,
} from './defaults.ts'
import {
  type Answer,
  isChoice,
  isSondage,
  type Question,
  type QuestionOptions,
  type Quiz,
} from './quiz.ts'

/**
 * Fields that differ from their defaults. Snapshots omit defaults, so that old versions stay valid and pages stay
 * small.
 */
export type NonDefaultFields<Defaults> = { [Name in keyof Defaults]?: Defaults[Name] | undefined }

/**
 * Returns the fields of a row that differ from `defaults`. Blank texts and descriptions of missing images are
 * omitted; an empty description marks a decorative image.
 */
export const nonDefaultFields = <Defaults extends object>(
  row: Defaults,
  defaults: Defaults,
): NonDefaultFields<Defaults> => {
  const fields: NonDefaultFields<Defaults> = {}
  for (const name in defaults) {
    const value = row[name]
    const isSet = name.endsWith('image_alt')
      ? (value === '' || !isBlankText(`${value ?? ''}`)) &&
        row[name.replace(/alt$/, 'id') as typeof name] !== null
      : value !== defaults[name] && !(typeof value === 'string' && isBlankText(value))
    if (isSet) fields[name] = value
  }
  return fields
}

const CHOICE_FIELDS: NonDefaultFields<QuestionOptions> = {
  ...COMMON_QUESTION_DEFAULTS,
  ...CHOICE_DEFAULTS,
  ...GRID_DEFAULTS,
  ...DIMENSION_DEFAULTS,
}
const SCALE_FIELDS: NonDefaultFields<QuestionOptions> = {
  ...COMMON_QUESTION_DEFAULTS,
  ...SCALE_DEFAULTS,
  ...GRID_DEFAULTS,
  ...DIMENSION_DEFAULTS,
}
const OTHER_FIELDS: NonDefaultFields<QuestionOptions> = {
  ...COMMON_QUESTION_DEFAULTS,
  ...TYPED_DEFAULTS,
}

/** Returns the scale with the default of `shows_recommendation` if its range ignores the setting. */
const withUsedRecommendation = (scale: Question): Question =>
  isScaleFrom0To10(scale)
    ? scale
    : { ...scale, shows_recommendation: SCALE_DEFAULTS.shows_recommendation }

/**
 * Returns the page settings of the quiz that differ from their defaults. A sondage has no corrections, because no reply
 * of a sondage is right or wrong.
 */
export const usedPageSettings = (quiz: Quiz): NonDefaultFields<QuizPage> =>
  nonDefaultFields<QuizPage>(
    isSondage(quiz) ? { ...quiz, shows_corrections: PAGE_DEFAULTS.shows_corrections } : quiz,
    PAGE_DEFAULTS,
  )

/** Returns the question without `all_or_nothing` if it takes one answer, or if no answer is right. */
const withUsedAllOrNothing = (question: Question, answers: readonly Answer[]): Question =>
  question.max_choices !== 1 && answers.some(({ is_correct }) => is_correct)
    ? question
    : { ...question, all_or_nothing: false }

/**
 * Returns the settings of a question that its type uses and that differ from their defaults. `answers` are its answers
 * with a text.
 */
export const usedQuestionOptions = (
  question: Question,
  answers: readonly Answer[],
): NonDefaultFields<QuestionOptions> => {
  if (question.type === 'scale')
    return nonDefaultFields<NonDefaultFields<QuestionOptions>>(
      withUsedRecommendation(question),
      SCALE_FIELDS,
    )
  return isChoice(question)
    ? nonDefaultFields<NonDefaultFields<QuestionOptions>>(
        withUsedAllOrNothing(question, answers),
        CHOICE_FIELDS,
      )
    : nonDefaultFields<NonDefaultFields<QuestionOptions>>(
        { ...question, contact_role: contactRoleOf(question) },
        OTHER_FIELDS,
      )
}
