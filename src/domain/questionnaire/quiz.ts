import {
  type ConsentMode,
  type Corners,
  type Font,
  PUBLISHED,
  type QuestionType,
  type QuizMode,
  type QuizStatus,
  type QuizType,
  type ScaleMaximum,
  type ScaleMinimum,
  type TieRule,
} from '#domain/common/vocabulary.ts'

/** The five colours a creator may set; null means the default of the screen (spec §9). */
export type QuizColors = {
  bg_color: string | null
  text_color: string | null
  button_color: string | null
  button_text_color: string | null
  accent_color: string | null
}

/** A picture beside a text. A null `image_alt` was never given; '' says that the picture is decorative. */
export type ImageFields = { image_id: string | null; image_alt: string | null }

/** What the page of a quiz has beside its questions: welcome, end and look. Null, or blank, is « none », or the default. */
export type QuizPage = {
  welcome_title: string | null
  welcome_text: string | null
  welcome_button: string | null
  welcome_image_id: string | null
  welcome_image_alt: string | null
  end_title: string | null
  end_text: string | null
  end_button_text: string | null
  end_button_url: string | null
  /** Whether the result page shows the total with its tiers, or the share of each profile. */
  shows_detail: boolean
  /** Whether a visitor may begin again at the end. */
  allows_restart: boolean
  font: Font
  corners: Corners
  logo_image_id: string | null
  background_image_id: string | null
}

/** Which result a quiz by profiles gives where several have the greatest total. */
export type QuizTies = {
  tie_rule: TieRule
  /** The multiple-choice question whose answer settles a tie, with the rule 'question'. */
  tie_question_id: string | null
}

/** Where and until when a quiz is open, and what it keeps of the address. It applies at once and is part of no version. */
export type QuizAccess = {
  /** Its address beside the one made of its id. */
  slug: string | null
  closes_at: string | null
  max_responses: number | null
  closed_text: string | null
  /** The names in the address that are stored with a participant, beside `utm_*` (domain/questionnaire/parameters.ts). */
  parameters: string[]
}

/** What each means « as before »: a snapshot leaves it out. */
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
  allows_restart: false,
  font: 'system',
  corners: 'soft',
  logo_image_id: null,
  background_image_id: null,
}

export const TIE_DEFAULTS: QuizTies = { tie_rule: 'priority', tie_question_id: null }

/** Whether anything of the screen before the first page, or of the one after the last, is written. */
export const isWelcomeOrEndFilled = (page: QuizPage, kind: 'welcome' | 'end'): boolean =>
  (Object.keys(PAGE_DEFAULTS) as (keyof QuizPage)[]).some(
    (name) => name.startsWith(`${kind}_`) && page[name] !== null,
  )

export const NO_IMAGE: ImageFields = { image_id: null, image_alt: null }
export const ENDING_DEFAULTS = {
  ...NO_IMAGE,
  button_text: null,
  button_url: null,
  redirect_url: null,
} satisfies Partial<Result>
/** How a choice is made of a multiple-choice question, and what a scale is from and to. */
export const CHOICE_DEFAULTS: ChoiceOptions = {
  max_choices: 1,
  has_other: false,
  shuffles_answers: false,
}
export const SCALE_DEFAULTS: ScaleOptions = {
  scale_min: 0,
  scale_max: 10,
  scale_min_label: null,
  scale_max_label: null,
  counts_in_score: false,
}
/** What a question of any type has. */
export const COMMON_QUESTION_DEFAULTS = {
  ...NO_IMAGE,
  label: null,
  help: null,
  is_required: true,
} satisfies Partial<QuestionOptions>
export const QUESTION_DEFAULTS: QuestionOptions = {
  ...COMMON_QUESTION_DEFAULTS,
  ...CHOICE_DEFAULTS,
  ...SCALE_DEFAULTS,
}
export const ANSWER_DEFAULTS: AnswerOptions = { ...NO_IMAGE, jump_to: null }
export const ACCESS_DEFAULTS: QuizAccess = {
  slug: null,
  closes_at: null,
  max_responses: null,
  closed_text: null,
  parameters: [],
}

export type Quiz = QuizColors &
  QuizPage &
  QuizAccess &
  QuizTies & {
    id: string
    name: string
    type: QuizType
    status: QuizStatus
    /** Stored participants, exact at every moment (decisions « nb_responses »). */
    nb_responses: number
    kit_custom_field: string | null
    brevo_attribute_name: string | null
    consent_mode: ConsentMode
    /** Null: the product's own wording. */
    consent_text: string | null
    created_at: string
    updated_at: string
  }

/** An ending of a quiz. A lower priority_order is considered first. */
export type Result = ImageFields & {
  id: string
  quiz_id: string
  name: string
  description: string | null
  priority_order: number
  min_score: number | null
  max_score: number | null
  button_text: string | null
  button_url: string | null
  /** Where a visitor with this result is led once their answers are acknowledged. */
  redirect_url: string | null
  updated_at: string
}

/** Links one answer to one result; it counts only while is_checked. */
export type Association = {
  id: string
  answer_id: string
  result_id: string
  weight: number
  is_checked: boolean
}

/** Where an answer leads that goes past the last page, and one whose page is gone. */
export const JUMP_TO_END = 0
export const JUMP_TO_NOWHERE = -1

/** What an answer has beside text and score. */
export type AnswerOptions = ImageFields & {
  /** The page that follows when it is chosen: a later one's number, JUMP_TO_END, JUMP_TO_NOWHERE; null is the next. */
  jump_to: number | null
}

/** A choice the creator offers. A null score was never given; 0 is a score. */
export type Answer = AnswerOptions & {
  id: string
  question_id: string
  text: string
  score: number | null
  position: number
  associations: Association[]
}

/** How a choice is made of a multiple-choice question. */
export type ChoiceOptions = {
  /** How many answers may be chosen; null is any number. */
  max_choices: number | null
  /** Whether « Autre… », with a text of the visitor's, is the last choice. */
  has_other: boolean
  /** Whether the order of the answers is drawn for each visitor. */
  shuffles_answers: boolean
}

/** From which number to which a scale goes, and what its ends are called. */
export type ScaleOptions = {
  scale_min: ScaleMinimum
  scale_max: ScaleMaximum
  scale_min_label: string | null
  scale_max_label: string | null
  /** Whether the number is added to the total, in a quiz by score. */
  counts_in_score: boolean
}

/** What a question has beside its text, type and place. */
export type QuestionOptions = ImageFields &
  ChoiceOptions &
  ScaleOptions & {
    /** « Nom court », unique in the quiz: what insertions, exports and tools call the reply by. */
    label: string | null
    help: string | null
    is_required: boolean
  }

export type Question = QuestionOptions & {
  id: string
  quiz_id: string
  text: string
  type: QuestionType
  /** Rank among the questions, from 0. */
  position: number
  /** Rank among questions and text blocks together, from 0. */
  global_position: number
  page_number: number
  answers: Answer[]
}

export type TextBlock = {
  id: string
  quiz_id: string
  content: string
  global_position: number
  page_number: number
}

export type ScoreThreshold = { min_score: number | null; max_score: number | null }

/** Everything a creator edits; it exists whether or not a version is published. */
export type Draft = {
  quiz: Quiz
  quiz_mode: QuizMode
  questions: Question[]
  text_blocks: TextBlock[]
  results: Result[]
}

/**
 * What a visitor gives to a question: the id of the chosen answer, or several; `other:` and a text for « Autre… »;
 * the number of a scale; an ISO date; a typed text.
 */
export type Reply = string | string[]
/** The replies by the ids of their questions. */
export type Replies = Record<string, Reply>

/** True when visitors can take the quiz (spec §4). */
export const isPublished = (quiz: { status: QuizStatus }): boolean => quiz.status === PUBLISHED

/** True for a questionnaire that computes no result (decisions « Sondage »). */
export const isSondage = (quiz: { type: QuizType }): boolean => quiz.type === 'sondage'

/** True for a question that offers answers; every other one takes text. */
export const isChoice = (question: { type: QuestionType }): boolean =>
  question.type === 'multiple_choice'
