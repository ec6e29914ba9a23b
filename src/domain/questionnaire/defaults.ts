import { QUESTION_TYPES, type QuestionType } from '#domain/common/vocabulary.ts'
import { defaultsOf, type Fields, filterFields, isUsedBy, namesOf } from './fields/field.ts'
import { PAGE_FIELDS } from './fields/page-fields.ts'
import { ACCESS_FIELDS, TIE_FIELDS } from './fields/quiz-fields.ts'
import {
  ANSWER_OPTION_FIELDS,
  DIMENSION_FIELDS,
  ENDING_FIELDS,
  IMAGE_FIELDS,
  OPTION_FIELDS,
  TEXT_VARIANT_FIELDS,
} from './fields/row-fields.ts'
import type { QuestionOptions } from './quiz.ts'

/**
 * Default values of fields, from their records. This file exports data only, because the browser's build replaces it by
 * its values (vite.config.ts).
 */

/** Default values of QuizPage, which a snapshot omits. */
export const PAGE_DEFAULTS = defaultsOf(PAGE_FIELDS)
/** Default tie rule, the order of results. */
export const TIE_DEFAULTS = defaultsOf(TIE_FIELDS)
/** Default values of QuizAccess. */
export const ACCESS_DEFAULTS = defaultsOf(ACCESS_FIELDS)
/** Image fields of a row without an image. */
export const NO_IMAGE = defaultsOf(IMAGE_FIELDS)
/** Default values of the result page. */
export const ENDING_DEFAULTS = defaultsOf(ENDING_FIELDS)
/** Default values of all question options. */
export const QUESTION_DEFAULTS = defaultsOf(OPTION_FIELDS)
const { continues_grid, grid_title } = QUESTION_DEFAULTS
/** Values of a question outside grids. */
export const GRID_DEFAULTS = { continues_grid, grid_title }
/** Default values of answer options. */
export const ANSWER_DEFAULTS = defaultsOf(ANSWER_OPTION_FIELDS)
/** Default values of a new dimension. */
export const NEW_DIMENSION = defaultsOf(DIMENSION_FIELDS)
/** Default values of a new conditional text. */
export const NEW_TEXT_VARIANT = defaultsOf(TEXT_VARIANT_FIELDS)

/** Default values of the options that questions of a type use. */
export const USED_DEFAULTS = Object.fromEntries(
  QUESTION_TYPES.map((type) => [
    type,
    defaultsOf(filterFields(OPTION_FIELDS, ({ use }) => isUsedBy(type, use)) as Fields),
  ]),
) as Record<QuestionType, Partial<QuestionOptions>>

const screenNames = (screen: 'welcome' | 'end') =>
  namesOf(PAGE_FIELDS).filter((name) => PAGE_FIELDS[name].part === screen)
/** Names of the fields of the welcome screen and of the end screen. */
export const SCREEN_NAMES = { welcome: screenNames('welcome'), end: screenNames('end') }
