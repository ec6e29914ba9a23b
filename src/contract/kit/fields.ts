import { z } from 'zod'
import { isLinkAddress } from '#domain/common/addresses.ts'
import { isBlankText } from '#domain/common/text.ts'
import {
  CORNERS,
  FONTS,
  LIMITS,
  MAX_WHOLE_NUMBER,
  SCALE_MAXIMA,
  SCALE_MINIMA,
  TIE_RULES,
} from '#domain/common/vocabulary.ts'
import { isReservedSlug, isSlug, slugReservedMessage } from '#domain/questionnaire/access.ts'
import {
  MAX_DECLARED_PARAMETERS,
  parameterNamesError,
  TOO_MANY_PARAMETERS,
} from '#domain/questionnaire/parameters.ts'
import { JUMP_TO_NOWHERE } from '#domain/questionnaire/quiz.ts'

/** Text of at most `max` characters that PostgreSQL can keep whole (decisions « Limits »). */
export const text = (max: number) => keepable(z.string().max(max))

/** Text with at least one visible character. White space around it is dropped before its length is checked. */
export const filledText = (max: number) =>
  keepable(z.string().trim().max(max)).refine((value) => !isBlankText(value), {
    error: 'Ce champ ne peut pas être vide',
  })

const keepable = (shape: z.ZodString) =>
  shape.refine((value) => !value.includes('\0') && value.isWellFormed(), {
    error: 'Le texte contient un caractère interdit',
    // The first failed check gives the only reason of a field.
    abort: true,
  })

/** Like every shape with an id, written once in the document of the API (openapi.ts). */
export const uuid = z.guid().toLowerCase().meta({ id: 'Uuid' })

export const timestamp = z.iso.datetime().meta({ id: 'Timestamp' })

const words = (max: number) => text(max).nullable()
const image = uuid.nullable()
const link = text(LIMITS.address)
  .trim()
  .refine(isLinkAddress, { error: 'L’adresse doit commencer par https://' })
  .nullable()

/** What the page of a quiz has beside its questions, as it is stored: null is « none » or the default. */
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
  allows_restart: z.boolean(),
  font: z.enum(FONTS),
  corners: z.enum(CORNERS),
  logo_image_id: image,
  background_image_id: image,
}

/** Which result a quiz by profiles gives where several have the greatest total. */
export const quizTies = { tie_rule: z.enum(TIE_RULES), tie_question_id: uuid.nullable() }

/** Where and until when a quiz is open, and what it keeps of the address. */
export const quizAccess = {
  slug: text(LIMITS.slug)
    .refine(isSlug, {
      error: 'De 3 à 60 caractères : lettres minuscules sans accent, chiffres et tirets',
    })
    .refine((slug) => !isReservedSlug(slug), {
      error: ({ input }) => slugReservedMessage(String(input)),
    })
    .nullable(),
  /** A time that both PostgreSQL and people know. */
  closes_at: z.iso
    .datetime()
    .refine((time) => time >= '2000' && time < '3000', {
      error: 'La date de clôture est entre 2000 et 2999',
    })
    .nullable(),
  max_responses: z.int().min(1).max(MAX_WHOLE_NUMBER).nullable(),
  closed_text: words(LIMITS.closed_text),
  /** The names in the address that are stored with a participant, beside `utm_*`. */
  parameters: z
    .array(text(LIMITS.address))
    .max(MAX_DECLARED_PARAMETERS, { error: TOO_MANY_PARAMETERS })
    .refine((names) => parameterNamesError(names) === undefined, {
      error: ({ input }) => parameterNamesError(input as string[]),
    }),
}

/** A picture beside a text; an `image_alt` of '' says that it is decorative. */
const picture = { image_id: image, image_alt: words(LIMITS.image_alt) }

/** What the result page has beside name and description. */
export const ending = {
  ...picture,
  button_text: words(LIMITS.button_text),
  button_url: link,
  redirect_url: link,
}

/** What a question has beside its text, type and place. */
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
}

/** What an answer has beside text and score; where it leads is a page's number, 0 for the end, -1 once that page is gone. */
export const answerExtras = {
  ...picture,
  jump_to: z.int().min(JUMP_TO_NOWHERE).max(LIMITS.pages).nullable(),
}

/** The same for a body, which may leave them out. */
export const given = {
  quizPage: z.object(quizPage).partial().shape,
  quizTies: z.object(quizTies).partial().shape,
  quizAccess: z.object(quizAccess).partial().shape,
  answerExtras: z.object(answerExtras).partial().shape,
  ending: z.object(ending).partial().shape,
  questionExtras: z.object(questionExtras).partial().shape,
}
