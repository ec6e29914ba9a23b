import { z } from 'zod'
import { isReservedSlug, isSlug, slugReserved } from '#domain/addresses.ts'
import { MOST_DECLARED, namesFault, TOO_MANY_DECLARED } from '#domain/parameters.ts'
import { JUMP_TO_NOWHERE } from '#domain/quiz.ts'
import {
  CORNERS,
  FONTS,
  LARGEST_NUMBER,
  LIMITS,
  SCALE_MAXIMA,
  SCALE_MINIMA,
  TIE_RULES,
} from '#domain/vocabulary.ts'
import { isLinkAddress } from '#domain/web-address.ts'
import { text, uuid } from './text-shapes.ts'

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
      error: ({ input }) => slugReserved(String(input)),
    })
    .nullable(),
  /** A time that both PostgreSQL and people know. */
  closes_at: z.iso
    .datetime()
    .refine((time) => time >= '2000' && time < '3000', {
      error: 'La date de clôture est entre 2000 et 2999',
    })
    .nullable(),
  max_responses: z.int().min(1).max(LARGEST_NUMBER).nullable(),
  closed_text: words(LIMITS.closed_text),
  /** The names in the address that are stored with a participant, beside `utm_*`. */
  parameters: z
    .array(text(LIMITS.address))
    .max(MOST_DECLARED, { error: TOO_MANY_DECLARED })
    .refine((names) => namesFault(names) === undefined, {
      error: ({ input }) => namesFault(input as string[]),
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
