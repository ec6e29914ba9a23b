/** The closed lists and limits of the product (spec §3, §9; decisions « Limits »). */

export const QUIZ_TYPES = ['quiz', 'sondage'] as const
export type QuizType = (typeof QUIZ_TYPES)[number]

export const UNPUBLISHED = 'Brouillon'
export const PUBLISHED = 'Publié'
export const QUIZ_STATUSES = [UNPUBLISHED, PUBLISHED] as const
export type QuizStatus = (typeof QUIZ_STATUSES)[number]

export const QUESTION_TYPES = [
  'multiple_choice',
  'text',
  'textarea',
  'email',
  'phone',
  'number',
  'scale',
  'date',
] as const
export type QuestionType = (typeof QUESTION_TYPES)[number]

/** The first and the last number that a scale may have. */
export const SCALE_MINIMA = [0, 1] as const
export type ScaleMinimum = (typeof SCALE_MINIMA)[number]
export const SCALE_MAXIMA = [5, 7, 10] as const
export type ScaleMaximum = (typeof SCALE_MAXIMA)[number]

export const QUIZ_MODES = ['score', 'profils'] as const
/** How a result is chosen; null until the creator's first score or association (spec §4). */
export type QuizMode = (typeof QUIZ_MODES)[number] | null

export const TIE_RULES = ['priority', 'question', 'both'] as const
/** Of equal results: the first one, the one that the answer to a question says, or all of them. */
export type TieRule = (typeof TIE_RULES)[number]

/** How a quiz gets leave to forward an address: by a box that is ticked, or as it announces the transfer. */
export const CONSENT_MODES = ['box', 'requested'] as const
export type ConsentMode = (typeof CONSENT_MODES)[number]

/** How the page of a quiz is set: the visitor's own letters, or one of eight families that are served with it. */
export const FONTS = [
  'system',
  'inter',
  'nunito',
  'poppins',
  'work-sans',
  'lora',
  'playfair-display',
  'source-serif-4',
  'space-grotesk',
] as const
export type Font = (typeof FONTS)[number]

export const CORNERS = ['square', 'soft', 'round'] as const
export type Corners = (typeof CORNERS)[number]

/** The email tools that participants are forwarded to, as the calls name them. */
export const PROVIDERS = ['convertkit', 'systemio', 'brevo'] as const
export type ProviderName = (typeof PROVIDERS)[number]

export const WEBHOOK = 'webhook'
/** The mail with their result to a participant, and the one that tells the creator of them. */
export const MAIL = 'mail'
export const NOTICE = 'notice'
/** What participants are sent by: an email tool, or what belongs to their quiz, a webhook or one of the two mails. */
export const CHANNELS = [...PROVIDERS, WEBHOOK, MAIL, NOTICE] as const
export type ChannelName = (typeof CHANNELS)[number]
/** Whether it is a creator's account at an email tool. */
export const isTool = (channel: ChannelName): channel is ProviderName =>
  PROVIDERS.some((provider) => provider === channel)
/** Webhooks of one quiz. */
export const MAX_WEBHOOKS = 5

export const DEFAULT_QUIZ_NAME = 'Nouveau Quiz'
export const DEFAULT_PAGE_NUMBER = 1
export const DEFAULT_WEIGHT = 1
export const MIN_RESULTS = 2

/** Those that visitors meet stand alone: their page carries what it names, and no list. */
export const MAX_TYPED_ANSWER_LENGTH = 10_000
export const MAX_EMAIL_LENGTH = 254
/** Typed beside « Autre… ». */
export const MAX_OTHER_TEXT_LENGTH = 500

/** Greatest lengths in characters and greatest counts; the contract refuses more with a 422. */
export const LIMITS = {
  quiz_name: 100,
  result_name: 200,
  question_text: 1_000,
  answer_text: 500,
  description: 5_000,
  text_block: 5_000,
  typed_answer: MAX_TYPED_ANSWER_LENGTH,
  email: MAX_EMAIL_LENGTH,
  integration_field: 100,
  /** The name of a tag, or of a list. */
  label_name: 100,
  automations_per_quiz: 100,
  consent_text: 500,
  /** Of welcome and end. */
  title: 200,
  button_text: 60,
  address: 2_000,
  image_alt: 300,
  question_label: 60,
  help: 500,
  scale_label: 60,
  other_text: MAX_OTHER_TEXT_LENGTH,
  closed_text: 1_000,
  slug: 60,
  /** That a quiz ever had; all of them keep leading to it. */
  slugs_per_quiz: 30,
  questions: 500,
  answers_per_question: 100,
  results: 100,
  pages: 100,
  text_blocks: 500,
} as const

/** Scores, weights and thresholds stay in this range, so that no sum overflows. */
export const MAX_WHOLE_NUMBER = 1_000_000
