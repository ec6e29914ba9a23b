import { isBlankText } from '#domain/common/text.ts'
import { DEFAULT_SCALE, type ScaleMaximum, type ScaleMinimum } from '#domain/common/vocabulary.ts'
import { contactRoleOf } from './contact-roles.ts'
import { PAGE_DEFAULTS, QUESTION_DEFAULTS, SCREEN_NAMES, USED_DEFAULTS } from './defaults.ts'
import {
  type Answer,
  isSondage,
  type Question,
  type QuestionOptions,
  type Quiz,
  type QuizPage,
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

/** Returns true if a field of the welcome screen or of the end screen is filled in. */
export const isWelcomeOrEndFilled = (page: QuizPage, kind: 'welcome' | 'end'): boolean =>
  SCREEN_NAMES[kind].some((name) => page[name] !== null)

/** Returns true if a scale goes from 0 to 10, the only range that has a net promoter score. */
export const isScaleFrom0To10 = ({
  scale_min = DEFAULT_SCALE.scale_min,
  scale_max = DEFAULT_SCALE.scale_max,
}: {
  scale_min?: ScaleMinimum | undefined
  scale_max?: ScaleMaximum | undefined
}): boolean => scale_min === 0 && scale_max === 10

/**
 * Returns the page settings of the quiz that differ from their defaults. A sondage has no corrections, because no reply
 * of a sondage is right or wrong.
 */
export const usedPageSettings = (quiz: Quiz): NonDefaultFields<QuizPage> =>
  nonDefaultFields<QuizPage>(
    isSondage(quiz) ? { ...quiz, shows_corrections: PAGE_DEFAULTS.shows_corrections } : quiz,
    PAGE_DEFAULTS,
  )

/** Returns the question with the default of each option that another option switches off. */
const withEffectiveOptions = (question: Question, answers: readonly Answer[]): Question => {
  const isCounted = question.max_choices !== 1 && answers.some(({ is_correct }) => is_correct)
  return {
    ...question,
    contact_role: contactRoleOf(question),
    all_or_nothing: isCounted && question.all_or_nothing,
    shows_recommendation: isScaleFrom0To10(question)
      ? question.shows_recommendation
      : QUESTION_DEFAULTS.shows_recommendation,
  }
}

/**
 * Returns the settings of a question that its type uses and that differ from their defaults. `answers` are its answers
 * with a text.
 */
export const usedQuestionOptions = (
  question: Question,
  answers: readonly Answer[],
): NonDefaultFields<QuestionOptions> =>
  nonDefaultFields<NonDefaultFields<QuestionOptions>>(
    withEffectiveOptions(question, answers),
    USED_DEFAULTS[question.type],
  )
