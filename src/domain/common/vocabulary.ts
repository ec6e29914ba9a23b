/** Closed lists and limits of the product (product 1.9, 15.1). */

/** Kinds of questionnaires. */
export const QUIZ_TYPES = ['quiz', 'sondage'] as const
/** Kind of questionnaire: a quiz gives a result, a sondage only collects answers. */
export type QuizType = (typeof QUIZ_TYPES)[number]

/** Status of a quiz that visitors cannot take. */
export const UNPUBLISHED = 'Brouillon'
/** Status of a quiz that visitors can take. */
export const PUBLISHED = 'Publié'
/** Publication statuses, as stored and as sent to clients. */
export const QUIZ_STATUSES = [UNPUBLISHED, PUBLISHED] as const
/** Publication status, as stored and as sent to clients. */
export type QuizStatus = (typeof QUIZ_STATUSES)[number]

/** Types of questions. */
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
/** Type of a question, which decides its field and its rules. */
export type QuestionType = (typeof QUESTION_TYPES)[number]

/** Parts of a participant's contact data that a question can ask for, besides the email address. */
export const CONTACT_ROLES = ['first_name', 'last_name', 'phone'] as const
/** Part of a participant's contact data. */
export type ContactRole = (typeof CONTACT_ROLES)[number]

/** Possible first numbers of a scale. */
export const SCALE_MINIMA = [0, 1] as const
/** First number of a scale. */
export type ScaleMinimum = (typeof SCALE_MINIMA)[number]
/** Possible last numbers of a scale. */
export const SCALE_MAXIMA = [5, 7, 10] as const
/** Last number of a scale. */
export type ScaleMaximum = (typeof SCALE_MAXIMA)[number]

/** Range of a scale whose range was never chosen. A constant of its own, so that the player's bundle stays small. */
export const DEFAULT_SCALE: { scale_min: ScaleMinimum; scale_max: ScaleMaximum } = {
  scale_min: 0,
  scale_max: 10,
}

/** Ways to choose a result. */
export const QUIZ_MODES = ['score', 'profils'] as const
/** Way to choose a result: by score or by profile. Null until the first score or association (product 4.1). */
export type QuizMode = (typeof QUIZ_MODES)[number] | null

/** Rules for tied results. */
export const TIE_RULES = ['priority', 'question', 'both'] as const
/** Rule for tied results: the first result, the result that a question decides, or all of them. */
export type TieRule = (typeof TIE_RULES)[number]

/** Drawings of the dimensions at the end of a run. */
export const DIMENSION_CHARTS = ['none', 'bars', 'radar'] as const
/** Drawing of the dimensions at the end of a run. */
export type DimensionChart = (typeof DIMENSION_CHARTS)[number]

/** Places of conditional texts: one result, every result, the end of a sondage, and the result mail. */
export const VARIANT_PLACES = ['result', 'every_result', 'end', 'mail'] as const
/** Place of a conditional text. */
export type VariantPlace = (typeof VARIANT_PLACES)[number]

/** Ways to join the conditions of a text: all hold, or at least one. */
export const CONDITION_JOINS = ['and', 'or'] as const
/** Way to join the conditions of a text. */
export type ConditionJoin = (typeof CONDITION_JOINS)[number]

/** Moments at which visitors see the right answers. */
export const CORRECTION_MOMENTS = ['never', 'page', 'end'] as const
/** Moment at which visitors see the right answers: never, after each page, or at the end. */
export type CorrectionMoment = (typeof CORRECTION_MOMENTS)[number]

/** Forms of address of visitors, « vous » and « tu ». */
export const ADDRESS_FORMS = ['vous', 'tu'] as const
/** Form of address that the public page uses in its own words. */
export type AddressForm = (typeof ADDRESS_FORMS)[number]

/** Contents of the PDF report for participants. */
export const REPORTS = ['none', 'result', 'replies'] as const
/** Content of the PDF report for participants: no report, the result, or the result with the replies. */
export type Report = (typeof REPORTS)[number]

/** Ways to get consent for forwarding an address: a checkbox, or a notice that announces the transfer. */
export const CONSENT_MODES = ['box', 'requested'] as const
/** Way to get consent for forwarding an address. */
export type ConsentMode = (typeof CONSENT_MODES)[number]

/** Fonts of a quiz page: the visitor's system font, or one of eight families that the server delivers. */
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
/** Font of a quiz page. */
export type Font = (typeof FONTS)[number]

/** Shapes of corners. */
export const CORNERS = ['square', 'soft', 'round'] as const
/** Shape of the corners of fields, answers and buttons. */
export type Corners = (typeof CORNERS)[number]

/**
 * Email tools that participants are forwarded to, as named in the database and in API calls. `convertkit` is Kit, which
 * had that name before: screens, files and functions call it Kit.
 */
export const PROVIDERS = ['convertkit', 'systemio', 'brevo'] as const
/** Name of an email tool. */
export type ProviderName = (typeof PROVIDERS)[number]

/** Channel of webhooks. */
export const WEBHOOK = 'webhook'
/** Channel of the result mail, which goes to the participant. */
export const MAIL = 'mail'
/** Channel of the notification mail, which goes to the creator. */
export const NOTICE = 'notice'
/** Channel of the mail that asks a participant to confirm the address. */
export const CONFIRMATION = 'confirmation'
/** Channel of the mails of campaigns, which go to invited people. */
export const INVITATION = 'invitation'
/** Channels that send a participant's data: email tools, webhooks and the three mails of a quiz. */
export const CHANNELS = [...PROVIDERS, WEBHOOK, MAIL, NOTICE, CONFIRMATION] as const
/** Name of a channel. */
export type ChannelName = (typeof CHANNELS)[number]
/** Name of a channel of the outbox: one that sends a participant's data, or the mails of campaigns. */
export type OutboxChannel = ChannelName | typeof INVITATION
/** Returns true if the channel is an email tool, which is connected to the creator's account and not to one quiz. */
export const isTool = (channel: OutboxChannel): channel is ProviderName =>
  PROVIDERS.some((provider) => provider === channel)
/** Maximum number of webhooks of one quiz. */
export const MAX_WEBHOOKS = 5

/** Name of a new quiz. */
export const DEFAULT_QUIZ_NAME = 'Nouveau Quiz'
/** Page of an item that names no page. */
export const DEFAULT_PAGE_NUMBER = 1
/** Weight of an association that names no weight. */
export const DEFAULT_WEIGHT = 1
/** Number of results that a quiz needs before it can be published. */
export const MIN_RESULTS = 2

/** Maximum length of a typed answer. A constant of its own, so that the player's bundle does not include LIMITS. */
export const MAX_TYPED_ANSWER_LENGTH = 10_000
/** Maximum length of an email address. */
export const MAX_EMAIL_LENGTH = 254
/** Maximum length of the text next to « Autre… ». */
export const MAX_OTHER_TEXT_LENGTH = 500

/** Maximum lengths in characters and maximum counts. The contract answers 422 beyond them. */
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
  /** Name of a tag or of a list at an email tool. */
  label_name: 100,
  automations_per_quiz: 100,
  consent_text: 500,
  sender_name: 60,
  /** Title of the welcome and end screens. */
  title: 200,
  button_text: 60,
  button_label: 40,
  address: 2_000,
  image_alt: 300,
  question_label: 60,
  help: 500,
  scale_label: 60,
  grid_title: 200,
  explanation: 1_000,
  certificate_text: 1_000,
  certificate_issuer: 120,
  other_text: MAX_OTHER_TEXT_LENGTH,
  closed_text: 1_000,
  /** Folders of one account. */
  folders: 100,
  folder_name: 60,
  slug: 60,
  /** Present and earlier slugs of a quiz; each still leads to the quiz. */
  slugs_per_quiz: 30,
  questions: 500,
  answers_per_question: 100,
  results: 100,
  pages: 100,
  text_blocks: 500,
  dimensions: 12,
  dimension_name: 60,
  tiers_per_dimension: 5,
  text_variants: 200,
  conditions_per_variant: 3,
} as const

/** Maximum bytes (UTF-8) of all typed replies of a submission: 25 replies of the maximum length. */
export const MAX_REPLY_BYTES = 262_144

/** Maximum absolute value of scores, weights and thresholds, so that no sum overflows. */
export const MAX_WHOLE_NUMBER = 1_000_000

/** Time without use in ms after which the run of a visitor ends, because the next person may use the device. */
export const MAX_RUN_IDLE_MS = 1_800_000
