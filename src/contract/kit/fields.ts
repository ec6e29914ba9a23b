import { z } from 'zod'
import { isLinkAddress } from '#domain/common/addresses.ts'
import { PHONE_COUNTRIES, type PhoneCountry } from '#domain/common/phone-countries.ts'
import { isBlankText, withoutControls } from '#domain/common/text.ts'
import {
  ADDRESS_FORMS,
  CONTACT_ROLES,
  CORNERS,
  CORRECTION_MOMENTS,
  DIMENSION_CHARTS,
  FONTS,
  LIMITS,
  MAX_WHOLE_NUMBER,
  REPORTS,
  SCALE_MAXIMA,
  SCALE_MINIMA,
  TIE_RULES,
} from '#domain/common/vocabulary.ts'
import { LABEL_KINDS } from '#domain/deliveries/label-kinds.ts'
import { isReservedSlug, isSlug, slugReservedMessage } from '#domain/questionnaire/access.ts'
import {
  MAX_DECLARED_PARAMETERS,
  parameterNamesError,
  TOO_MANY_PARAMETERS,
} from '#domain/questionnaire/parameters.ts'
import { JUMP_TO_NOWHERE } from '#domain/questionnaire/quiz.ts'

/**
 * Returns the shape of a text of at most `max` characters that PostgreSQL can store (product 15.4). Control characters
 * are removed before the length check.
 */
export const text = (max: number) => keepable(z.string().overwrite(withoutControls).max(max))

/**
 * Returns the shape of a text with at least one visible character. Control characters and surrounding white space are
 * removed before the length check.
 */
export const filledText = (max: number) =>
  keepable(z.string().overwrite(withoutControls).trim().max(max)).refine(
    (value) => !isBlankText(value),
    {
      error: 'Ce champ ne peut pas être vide',
    },
  )

const keepable = (shape: z.ZodString) =>
  shape.refine((value) => !value.includes('\0') && value.isWellFormed(), {
    error: 'Le texte contient un caractère interdit',
    // A field reports only its first failed check.
    abort: true,
  })

/** ISO code of a country whose phone numbers are read without a country code. */
export const phoneCountry = z.enum(
  Object.keys(PHONE_COUNTRIES) as [PhoneCountry, ...PhoneCountry[]],
  { error: 'Ce pays n’est pas dans la liste' },
)
/** UUID in lower case. Shapes with an id are written once in the OpenAPI document. */
export const uuid = z.guid().toLowerCase().meta({ id: 'Uuid' })

/** Time in ISO 8601. */
export const timestamp = z.iso.datetime().meta({ id: 'Timestamp' })

const words = (max: number) => text(max).nullable()
const image = uuid.nullable()
/** Address that a link or button may have; null means none. */
export const link = text(LIMITS.address)
  .trim()
  .refine(isLinkAddress, { error: 'L’adresse doit commencer par https://' })
  .nullable()

/** Stored fields of the page besides its questions; null means « none » or the default. */
export const quizPage = {
  welcome_title: words(LIMITS.title),
  welcome_text: words(LIMITS.description),
  welcome_button: words(LIMITS.button_text),
  welcome_image_id: image,
  welcome_image_alt: words(LIMITS.image_alt),
  end_title: words(LIMITS.title),
  end_text: words(LIMITS.description),
  end_button_text: words(LIMITS.button_text),
  end_button_url: link,
  shows_detail: z.boolean(),
  dimension_chart: z.enum(DIMENSION_CHARTS),
  allows_restart: z.boolean(),
  font: z.enum(FONTS),
  corners: z.enum(CORNERS),
  logo_image_id: image,
  background_image_id: image,
  shows_corrections: z.enum(CORRECTION_MOMENTS),
  report: z.enum(REPORTS),
  certificate_percent: z.int().min(0).max(100).nullable(),
  certificate_title: words(LIMITS.title),
  certificate_text: words(LIMITS.certificate_text),
  certificate_issuer: words(LIMITS.certificate_issuer),
  auto_advance: z.boolean(),
  address_form: z.enum(ADDRESS_FORMS),
  next_label: words(LIMITS.button_label),
  back_label: words(LIMITS.button_label),
  finish_label: words(LIMITS.button_label),
  continue_label: words(LIMITS.button_label),
  restart_label: words(LIMITS.button_label),
  share_label: words(LIMITS.button_label),
  report_label: words(LIMITS.button_label),
  certificate_label: words(LIMITS.button_label),
}

/** Rule for tied results of a quiz by profiles. */
export const quizTies = { tie_rule: z.enum(TIE_RULES), tie_question_id: uuid.nullable() }

/** Time within the range of PostgreSQL; null means none. `name` begins the French error. */
const timeBetween2000And3000 = (name: string) =>
  z.iso
    .datetime()
    .refine((time) => time >= '2000' && time < '3000', { error: `${name} est entre 2000 et 2999` })
    .nullable()

/** Address, opening time and closing conditions of a quiz. */
const quizOpening = {
  slug: text(LIMITS.slug)
    .refine(isSlug, {
      error: 'De 3 à 60 caractères : lettres minuscules sans accent, chiffres et tirets',
    })
    .refine((slug) => !isReservedSlug(slug), {
      error: ({ input }) => slugReservedMessage(String(input)),
    })
    .nullable(),
  opens_at: timeBetween2000And3000('La date d’ouverture'),
  closes_at: timeBetween2000And3000('La date de clôture'),
  max_responses: z.int().min(1).max(MAX_WHOLE_NUMBER).nullable(),
  closed_text: words(LIMITS.closed_text),
}

/** Address, closing conditions and stored parameters of a quiz. */
export const quizAccess = {
  ...quizOpening,
  /** Names of stored address parameters in addition to `utm_*`. */
  parameters: z
    .array(text(LIMITS.address))
    .max(MAX_DECLARED_PARAMETERS, { error: TOO_MANY_PARAMETERS })
    .refine((names) => parameterNamesError(names) === undefined, {
      error: ({ input }) => parameterNamesError(input as string[]),
    }),
  keeps_page: z.boolean(),
  page_erases_contacts: z.boolean(),
}

/** Image with its alternative text; '' marks a decorative image. */
const picture = { image_id: image, image_alt: words(LIMITS.image_alt) }

/** Fields of a result page besides name and description. */
export const ending = {
  ...picture,
  button_text: words(LIMITS.button_text),
  button_url: link,
  redirect_url: link,
}

/** Fields of a question besides text, type and position. */
export const questionExtras = {
  ...picture,
  label: words(LIMITS.question_label),
  help: words(LIMITS.help),
  is_required: z.boolean(),
  max_choices: z.int().min(1).max(LIMITS.answers_per_question).nullable(),
  has_other: z.boolean(),
  shuffles_answers: z.boolean(),
  scale_min: z.literal(SCALE_MINIMA),
  scale_max: z.literal(SCALE_MAXIMA),
  scale_min_label: words(LIMITS.scale_label),
  scale_max_label: words(LIMITS.scale_label),
  counts_in_score: z.boolean(),
  shows_recommendation: z.boolean(),
  contact_role: z.enum(CONTACT_ROLES).nullable(),
  dimension_id: uuid.nullable(),
  explanation: words(LIMITS.explanation),
  all_or_nothing: z.boolean(),
  continues_grid: z.boolean(),
  grid_title: words(LIMITS.grid_title),
}

/** Course, community, sequence or form that a participant joined at a tool. */
export const enrolment = z.object({ kind: z.enum(LABEL_KINDS), name: z.string() })

/** Fields of an answer besides text and score. `jump_to` is a page number, 0 for the end, -1 for a deleted page. */
export const answerExtras = {
  ...picture,
  jump_to: z.int().min(JUMP_TO_NOWHERE).max(LIMITS.pages).nullable(),
  is_correct: z.boolean(),
}

/**
 * Variants of the field lists above with all fields optional: for request bodies, and for snapshots, which omit default
 * values.
 */
export const optionalFields = {
  quizPage: z.object(quizPage).partial().shape,
  quizTies: z.object(quizTies).partial().shape,
  quizAccess: z.object(quizAccess).partial().shape,
  quizOpening: z.object(quizOpening).partial().shape,
  answerExtras: z.object(answerExtras).partial().shape,
  ending: z.object(ending).partial().shape,
  questionExtras: z.object(questionExtras).partial().shape,
}
