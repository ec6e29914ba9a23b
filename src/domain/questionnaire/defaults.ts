import type { ScaleMaximum, ScaleMinimum } from '#domain/common/vocabulary.ts'
import type { ButtonLabels, QuizPage } from '#domain/questionnaire/look/quiz-page.ts'
import type { Dimension, QuestionDimension } from './dimensions.ts'
import type {
  AnswerOptions,
  ChoiceOptions,
  GridOptions,
  ImageFields,
  QuestionOptions,
  QuizAccess,
  QuizOpening,
  QuizTies,
  Result,
  ScaleOptions,
} from './quiz.ts'
import type { TextVariant } from './text-variants.ts'

/** Row of a call, which may omit fields that have a default. */
export type RowInput<Row, Defaults> = Omit<Row, keyof Defaults> & {
  [Name in keyof Row & keyof Defaults]?: Row[Name] | undefined
}

/**
 * Returns a whole row. An omitted field keeps its value, or gets its default in a new row, so that a partial call
 * deletes nothing.
 */
export const applyDefaults = <Row extends object, Defaults extends Partial<Row>>(
  input: RowInput<Row, Defaults>,
  before: Row | undefined,
  defaults: Defaults,
): Row => {
  const present = Object.entries(input).filter(([, value]) => value !== undefined)
  const fallback: object = { ...defaults, ...before }
  const kept = Object.entries(fallback).filter(([name]) => name in defaults)
  return { ...Object.fromEntries(kept), ...Object.fromEntries(present) } as Row
}

/** Labels of a quiz that keeps the default texts of the buttons. */
export const LABEL_DEFAULTS: ButtonLabels = {
  next_label: null,
  back_label: null,
  finish_label: null,
  continue_label: null,
  restart_label: null,
  share_label: null,
  report_label: null,
  certificate_label: null,
}

/** Default values of QuizPage, which a snapshot omits. */
export const PAGE_DEFAULTS: QuizPage = {
  welcome_title: null,
  welcome_text: null,
  welcome_button: null,
  welcome_image_id: null,
  welcome_image_alt: null,
  end_title: null,
  end_text: null,
  end_button_text: null,
  end_button_url: null,
  shows_detail: false,
  dimension_chart: 'bars',
  allows_restart: false,
  font: 'system',
  corners: 'soft',
  logo_image_id: null,
  background_image_id: null,
  shows_corrections: 'never',
  report: 'none',
  certificate_percent: null,
  certificate_title: null,
  certificate_text: null,
  certificate_issuer: null,
  auto_advance: false,
  address_form: 'vous',
  ...LABEL_DEFAULTS,
}

/** Default tie rule, the order of results. */
export const TIE_DEFAULTS: QuizTies = { tie_rule: 'priority', tie_question_id: null }

/** Returns true if a field of the welcome screen or of the end screen is filled in. */
export const isWelcomeOrEndFilled = (page: QuizPage, kind: 'welcome' | 'end'): boolean =>
  (Object.keys(PAGE_DEFAULTS) as (keyof QuizPage)[]).some(
    (name) => name.startsWith(`${kind}_`) && page[name] !== null,
  )

/** Image fields of a row without an image. */
export const NO_IMAGE: ImageFields = { image_id: null, image_alt: null }

/** Default values of the result page. */
export const ENDING_DEFAULTS = {
  ...NO_IMAGE,
  button_text: null,
  button_url: null,
  redirect_url: null,
} satisfies Partial<Result>

/** Default settings of a choice question. */
export const CHOICE_DEFAULTS: ChoiceOptions = {
  max_choices: 1,
  has_other: false,
  shuffles_answers: false,
  explanation: null,
  all_or_nothing: false,
}

/** Default settings of a question outside grids. */
export const GRID_DEFAULTS: GridOptions = { continues_grid: false, grid_title: null }

/** Default settings of a scale. */
export const SCALE_DEFAULTS: ScaleOptions = {
  scale_min: 0,
  scale_max: 10,
  scale_min_label: null,
  scale_max_label: null,
  counts_in_score: false,
  // True, because statistics showed the score of every scale from 0 to 10 before the setting existed.
  shows_recommendation: true,
}

/** Returns true if a scale goes from 0 to 10, the only range that has a net promoter score. */
export const isScaleFrom0To10 = ({
  scale_min = SCALE_DEFAULTS.scale_min,
  scale_max = SCALE_DEFAULTS.scale_max,
}: {
  scale_min?: ScaleMinimum | undefined
  scale_max?: ScaleMaximum | undefined
}): boolean => scale_min === 0 && scale_max === 10

/** Default values of the fields that every question type has. */
export const COMMON_QUESTION_DEFAULTS = {
  ...NO_IMAGE,
  label: null,
  help: null,
  is_required: true,
} satisfies Partial<QuestionOptions>

/** Default values of the settings of a question with a typed reply. */
export const TYPED_DEFAULTS = { contact_role: null } satisfies Partial<QuestionOptions>

/** Dimension of a question that belongs to none. */
export const DIMENSION_DEFAULTS: QuestionDimension = { dimension_id: null }

/** Default values of all question options. */
export const QUESTION_DEFAULTS: QuestionOptions = {
  ...COMMON_QUESTION_DEFAULTS,
  ...TYPED_DEFAULTS,
  ...DIMENSION_DEFAULTS,
  ...CHOICE_DEFAULTS,
  ...SCALE_DEFAULTS,
  ...GRID_DEFAULTS,
}

/** Default values of answer options. */
export const ANSWER_DEFAULTS: AnswerOptions = { ...NO_IMAGE, jump_to: null, is_correct: false }

/** Default values of QuizOpening. */
export const OPENING_DEFAULTS: QuizOpening = {
  slug: null,
  opens_at: null,
  closes_at: null,
  max_responses: null,
  closed_text: null,
}

/** Default values of QuizAccess. */
export const ACCESS_DEFAULTS: QuizAccess = {
  ...OPENING_DEFAULTS,
  parameters: [],
  keeps_page: false,
  page_erases_contacts: false,
}

/** Default values of a new dimension. */
export const NEW_DIMENSION: Omit<Dimension, 'id' | 'quiz_id' | 'position'> = {
  name: '',
  description: null,
  tiers: [],
}

/** Default values of a new conditional text. */
export const NEW_TEXT_VARIANT: Omit<TextVariant, 'id' | 'quiz_id' | 'position'> = {
  place: 'every_result',
  result_id: null,
  joined_by: 'and',
  conditions: [],
  text: '',
  button_text: null,
  button_url: null,
}
