import { z } from 'zod'
import type { NumberSummary } from '#domain/common/numbers.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { MAX_FILTER_ANSWERS } from '#domain/statistics/filter-choices.ts'
import type { QuestionFigures } from '#domain/statistics/question-figures.ts'
import {
  isParameterFilter,
  MAX_FILTER_PARAMETERS,
  type Source,
} from '#domain/statistics/sources.ts'
import { text, uuid } from './kit/fields.ts'
import { questionType } from './kit/shapes.ts'

/** Day in the time zone of the creator, within the years that PostgreSQL accepts. */
const day = z.iso.date().refine((value) => value >= '2000-01-01' && value <= '2999-12-31', {
  error: 'La date est hors des limites',
})

const UUID = '[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}'
const ANSWER = `${UUID}(:other|:\\d{1,2}|@\\d{1,9})?`
const filterAnswer = z
  .string()
  .toLowerCase()
  .regex(new RegExp(`^${ANSWER}(,${ANSWER}){0,${MAX_FILTER_ANSWERS - 1}}$`), {
    error: 'Identifiant invalide',
  })
const filterResult = z
  .string()
  .toLowerCase()
  .regex(new RegExp(`^${UUID}(@\\d{1,9})?$`), { error: 'Identifiant invalide' })

/** Five values in which each letter takes nine characters. */
const LONGEST_FILTER = 10_000

/** Which participants the figures, the list and the exports are about; all of them when empty. */
export const participantFilters = z.object({
  /** How their address begins, or its domain, or the last word before the @; in capitals or not. */
  email: text(LIMITS.email).optional(),
  /** Id of the result they got; `<result id>@2` of those who got it by the name that it has in version 2. */
  result: filterResult.optional(),
  /**
   * Id of an answer they chose, or `<answer id>@2` as version 2 words it; `<question id>:other` for « Autre », `<question id>:7` for a number of a scale. Up to
   * five, with commas between: of one question any of them, of several questions each.
   */
  answer: filterAnswer.optional(),
  /**
   * Parameters that they came with, as the query of an address: `utm_source=lettre&ref=a%26b`, each of them, up to five;
   * an empty value is of those without.
   */
  parameters: text(LONGEST_FILTER)
    .refine(isParameterFilter, {
      error: `${MAX_FILTER_PARAMETERS} paramètres au plus, de la forme nom=valeur`,
    })
    .optional(),
  /** First and last day in the time zone of the creator, both included. */
  from: day.optional(),
  to: day.optional(),
})

export type ParticipantFilters = z.output<typeof participantFilters>

const numberSummary = z.object({
  count: z.int(),
  mean: z.number(),
  median: z.number(),
  min: z.number(),
  max: z.number(),
  histogram: z.array(z.object({ from: z.number(), to: z.number(), count: z.int() })),
}) satisfies z.ZodType<NumberSummary>

/** What participants can be filtered by. */
export const filterChoices = z.object({
  /** Each by what the filter `result` takes. */
  results: z.array(z.object({ id: z.string(), name: z.string() })),
  questions: z.array(
    z.object({
      id: uuid,
      text: z.string(),
      /** Each by what the filter `answer` takes. */
      answers: z.array(z.object({ id: z.string(), text: z.string() })),
    }),
  ),
})

/** How often each answer of a question was given, by the id of the question. */
export const questionCounts = z.record(
  uuid,
  z.object({
    question_text: z.string(),
    answers: z.array(
      z.object({
        answer_text: z.string(),
        count: z.int(),
        percentage: z.number(),
        /** What the filter `answer` takes for those whom it counts; of a choice alone, and not by a shared link. */
        filter: z.string().optional(),
      }),
    ),
  }),
)

/** How participants are spread over the results. */
export const resultShares = z.array(
  z.object({
    result_name: z.string(),
    count: z.int(),
    percentage: z.number(),
    /** What the filter `result` takes for those whom it counts; not of those without, nor by a shared link. */
    filter: z.string().optional(),
  }),
)

const questionFigures = z.object({
  type: questionType,
  /** True if several answers may be chosen: percentages may then exceed 100 together, else they add up to 100. */
  takes_several: z.boolean(),
  /** Participants whose version has this question, those of them who came by it, and those who gave a reply. */
  nb_participants: z.int(),
  nb_seen: z.int(),
  nb_answered: z.int(),
  /** How many different texts were given, as they were typed; null of a choice, a scale or a date. */
  nb_distinct: z.int().nullable(),
  /** The most frequent texts typed beside « Autre… ». */
  others: z.array(z.object({ text: z.string(), count: z.int() })),
  /** Of a number question or a scale; null of none, and when too many different ones were given. */
  numbers: numberSummary.nullable(),
  /** Of a scale from 0 to 10: 9 and 10 less 0 to 6, in percent, and how many each group has. */
  recommendation: z
    .object({
      nb_promoters: z.int(),
      nb_passives: z.int(),
      nb_detractors: z.int(),
      net: z.int(),
    })
    .nullable(),
}) satisfies z.ZodType<QuestionFigures>

const source = z.object({
  /** `utm_source` first, then the others of `utm_*`, then by name. */
  name: z.string(),
  /** Those who came with any value. */
  nb_participants: z.int(),
  /** The most frequent ones, most frequent first. */
  values: z.array(z.object({ value: z.string(), count: z.int() })),
  /** Those who came with another value. */
  nb_others: z.int(),
}) satisfies z.ZodType<Source>

/** What the screen shows beside the counts of each answer. */
export const figures = z.object({
  /** Those that the filters leave, and all of the quiz. */
  nb_participants: z.int(),
  nb_all_participants: z.int(),
  results: resultShares,
  days: z.array(z.object({ day: z.iso.date(), count: z.int() })),
  /** Those who were shown the box of consent and those who ticked it; null when it was never shown. */
  consent: z.object({ nb_asked: z.int(), nb_agreed: z.int() }).nullable(),
  scores: numberSummary.nullable(),
  /** The scores of each result of the newest version that was taken, lowest first; none without `scores`. */
  tiers: z.array(z.object({ result_name: z.string(), min: z.int(), max: z.int() })),
  /** Time to finish, of those whose time is known. */
  duration: z
    .object({
      count: z.int(),
      median_seconds: z.number(),
      /** Longer times are counted as `median_seconds`. */
      is_more: z.boolean(),
    })
    .nullable(),
  /**
   * How far visits came, version by version, newest first: no step has fewer than the next, and the
   * last has the participants. With jumps a page has the visits that came by it, maybe fewer than a later one. Null under filters that leave some participants out, dates apart.
   */
  visits: z
    .array(
      z.object({
        version: z.int(),
        /** Whether its answers lead past pages. */
        has_jumps: z.boolean(),
        steps: z.array(
          z.object({
            kind: z.enum(['opened', 'began', 'page', 'finished']),
            page: z.int().nullable(),
            count: z.int(),
          }),
        ),
      }),
    )
    .nullable(),
  /** With which values of each parameter of their address participants came; none where no participant came with any. */
  sources: z.array(source),
  questions: z.record(uuid, questionFigures),
  choices: filterChoices,
})

export type Figures = z.output<typeof figures>
