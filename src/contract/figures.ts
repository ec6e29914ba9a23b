import { z } from 'zod'
import type { NumberSummary } from '#domain/common/numbers.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { DimensionFigures } from '#domain/statistics/dimension-figures.ts'
import {
  isParameterFilter,
  MAX_FILTER_ANSWERS,
  MAX_FILTER_PARAMETERS,
  MAX_FILTER_TIERS,
} from '#domain/statistics/filter-choices.ts'
import type { GridFigure } from '#domain/statistics/grid-figures.ts'
import { CERTIFICATE_FILTERS, isPercentFilter } from '#domain/statistics/percent-filters.ts'
import type { QuestionFigures } from '#domain/statistics/question-figures.ts'
import type { RightAnswerFigures } from '#domain/statistics/right-answers.ts'
import type { Source } from '#domain/statistics/sources.ts'
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
const TIER = `${UUID}(@\\d{1,9})?`
const filterTier = z
  .string()
  .toLowerCase()
  .regex(new RegExp(`^${TIER}(,${TIER}){0,${MAX_FILTER_TIERS - 1}}$`), {
    error: 'Identifiant invalide',
  })
const filterResult = z
  .string()
  .toLowerCase()
  .regex(new RegExp(`^${UUID}(@\\d{1,9})?$`), { error: 'Identifiant invalide' })

/** Maximum length of a parameter filter: five values whose letters take nine characters each when encoded. */
const MAX_FILTER_LENGTH = 10_000

/** Maximum length of a filter of percents: five ids of dimensions with their ranges. */
const MAX_PERCENTS_LENGTH = 250

/** Search words for a list of participants or of texts. */
export const searchedText = text(200)

/** Filters of participants for figures, lists and exports; empty means all participants. */
export const participantFilters = z.object({
  /**
   * Beginning of the email address, of its domain or of the last word before the @. Also beginnings of words of the
   * name, or of the phone number. Case is ignored, in names accents too.
   */
  email: text(LIMITS.email).optional(),
  /** Id of the result; `<result id>@2` selects the participants who got it under its name in version 2. */
  result: filterResult.optional(),
  /**
   * Id of a chosen answer, or `<answer id>@2` in the words of version 2; `<question id>:other` for « Autre »,
   * `<question id>:7` for a number of a scale. Up to five values separated by commas: any of one question, all of
   * several questions.
   */
  answer: filterAnswer.optional(),
  /**
   * Id of a tier of a dimension, or `<tier id>@2` under its title in version 2. Up to five values separated by commas:
   * any of one dimension, all of several dimensions.
   */
  tier: filterTier.optional(),
  /**
   * Range of percents of the possible points: `score:50-100` as certificates print the percent, or `<dimension id>:0-49`.
   * Up to five ranges separated by commas, which must all hold. The score of a quiz with jumps has no such filter.
   */
  percent: text(MAX_PERCENTS_LENGTH)
    .toLowerCase()
    .refine(isPercentFilter, { error: 'Un pourcentage est de la forme score:50-100' })
    .optional(),
  /** Participants whose certificate was downloaded or sent, or the others. */
  certificate: z.enum(CERTIFICATE_FILTERS).optional(),
  /**
   * Up to five parameters of the page address, written as a query: `utm_source=lettre&ref=a%26b`. All must match; an
   * empty value selects participants without the parameter.
   */
  parameters: text(MAX_FILTER_LENGTH)
    .refine(isParameterFilter, {
      error: `${MAX_FILTER_PARAMETERS} paramètres au plus, de la forme nom=valeur`,
    })
    .optional(),
  /** First and last day in the time zone of the creator, both included. */
  from: day.optional(),
  to: day.optional(),
})

/** Validated filters of participants. */
export type ParticipantFilters = z.output<typeof participantFilters>

const numberSummary = z.object({
  count: z.int(),
  mean: z.number(),
  median: z.number(),
  min: z.number(),
  max: z.number(),
  histogram: z.array(z.object({ from: z.number(), to: z.number(), count: z.int() })),
}) satisfies z.ZodType<NumberSummary>

/** Values by which participants can be filtered. */
export const filterChoices = z.object({
  /** Results with their values for the filter `result`. */
  results: z.array(z.object({ id: z.string(), name: z.string() })),
  questions: z.array(
    z.object({
      id: uuid,
      text: z.string(),
      /** Answers with their values for the filter `answer`. */
      answers: z.array(z.object({ id: z.string(), text: z.string() })),
    }),
  ),
  /** Dimensions with tiers. */
  dimensions: z.array(
    z.object({
      id: uuid,
      name: z.string(),
      /** Tiers with their values for the filter `tier`. */
      tiers: z.array(z.object({ id: z.string(), text: z.string() })),
    }),
  ),
  /** Score and dimensions whose percents the filter `percent` accepts; absent without any. */
  percents: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
  /** Present if a version gives certificates. */
  has_certificates: z.literal(true).optional(),
})

/** Number of times each answer was given, by question id. */
export const questionCounts = z.record(
  uuid,
  z.object({
    question_text: z.string(),
    answers: z.array(
      z.object({
        answer_text: z.string(),
        count: z.int(),
        percentage: z.number(),
        /**
         * Value for the filter `answer` that selects the counted participants; absent for open questions and in
         * shared figures.
         */
        filter: z.string().optional(),
        /** Earlier texts of a corrected answer, newest first; absent if its text never changed. */
        earlier_texts: z.array(z.string()).optional(),
      }),
    ),
  }),
)

/** Participants by result. */
export const resultShares = z.array(
  z.object({
    result_name: z.string(),
    count: z.int(),
    percentage: z.number(),
    /**
     * Value for the filter `result` that selects the counted participants; absent for participants without a result
     * and in shared figures.
     */
    filter: z.string().optional(),
  }),
)

const questionFigures = z.object({
  type: questionType,
  /**
   * True if several answers may be chosen, so that percentages may add up to more than 100; otherwise they add up to
   * 100.
   */
  takes_several: z.boolean(),
  /** Participants whose version has the question, who reached it, and who answered it. */
  nb_participants: z.int(),
  nb_seen: z.int(),
  nb_answered: z.int(),
  /** Number of different texts as typed; null for choices, scales and dates. */
  nb_distinct: z.int().nullable(),
  /** Most frequent texts for « Autre… ». */
  others: z.array(z.object({ text: z.string(), count: z.int() })),
  /** Summary of a number question or scale; null for other types, and if there are too many different numbers. */
  numbers: numberSummary.nullable(),
  /**
   * Net promoter score of a scale from 0 to 10, with the size of each group; null if the newest version of the scale
   * does not show it. The score is the share of 9 and 10 minus the share of 0 to 6, in percent.
   */
  recommendation: z
    .object({
      nb_promoters: z.int(),
      nb_passives: z.int(),
      nb_detractors: z.int(),
      net: z.int(),
    })
    .nullable(),
}) satisfies z.ZodType<QuestionFigures>

const gridFigure = z.object({
  title: z.string().nullable(),
  questions: z.array(uuid),
}) satisfies z.ZodType<GridFigure>

const dimensionFigures = z.object({
  id: uuid,
  /** Name in the newest version with participants. */
  name: z.string(),
  /** Participants to whom the dimension was shown. */
  nb_participants: z.int(),
  /** Mean and standard deviation of the percents. */
  mean: z.number(),
  deviation: z.number(),
  /** Participants from 0 to 9 %, from 10 to 19 %, and so on; the last of ten numbers includes 100 %. */
  histogram: z.array(z.int()),
  /** Participants by tier, then those without a tier; empty if no version has tiers. */
  tiers: z.array(
    z.object({
      title: z.string(),
      count: z.int(),
      percentage: z.number(),
      /**
       * Value for the filter `tier` that selects the counted participants; absent for participants without a tier and
       * in shared figures.
       */
      filter: z.string().optional(),
    }),
  ),
}) satisfies z.ZodType<DimensionFigures>

const rightAnswerFigures = z.object({
  question_id: uuid,
  question_text: z.string(),
  /**
   * Participants who saw the question while it had a right answer, who answered it, and who chose exactly the right
   * answers.
   */
  nb_asked: z.int(),
  nb_answered: z.int(),
  nb_right: z.int(),
}) satisfies z.ZodType<RightAnswerFigures>

const source = z.object({
  /** Name of the parameter. Order: `utm_source`, other `utm_*`, then by name. */
  name: z.string(),
  /** Participants with any value of the parameter. */
  nb_participants: z.int(),
  /** Most frequent values, in descending order. */
  values: z.array(z.object({ value: z.string(), count: z.int() })),
  /** Participants with other values. */
  nb_others: z.int(),
}) satisfies z.ZodType<Source>

/** Figures of the screen in addition to the counts of answers. */
export const figures = z.object({
  /** Participants selected by the filters, and all participants of the quiz. */
  nb_participants: z.int(),
  nb_all_participants: z.int(),
  results: resultShares,
  days: z.array(z.object({ day: z.iso.date(), count: z.int() })),
  /** Participants who saw the consent box, and who ticked it; null if it was never shown. */
  consent: z.object({ nb_asked: z.int(), nb_agreed: z.int() }).nullable(),
  scores: numberSummary.nullable(),
  /** Score range of each result in the newest version with participants, lowest first; empty without `scores`. */
  tiers: z.array(z.object({ result_name: z.string(), min: z.int(), max: z.int() })),
  /** Dimensions that participants were shown, in the order of the newest version. */
  dimensions: z.array(dimensionFigures),
  /** Questions with right answers, hardest first; empty without such questions. */
  right_answers: z.array(rightAnswerFigures),
  /** Time to finish, of participants with a known time. */
  duration: z
    .object({
      count: z.int(),
      median_seconds: z.number(),
      /** True if the median is at least the largest counted time. */
      is_more: z.boolean(),
    })
    .nullable(),
  /**
   * Visits by reached step, per version, newest first. No step has fewer visits than the next, except with jumps; the
   * last step equals the participants. Null under filters other than dates.
   */
  visits: z
    .array(
      z.object({
        version: z.int(),
        /** True if answers of the version skip pages. */
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
  /** Participants by parameter value; empty if no participant has parameters. */
  sources: z.array(source),
  questions: z.record(uuid, questionFigures),
  /** Grids of the newest version with participants, each with its questions in their order. */
  grids: z.array(gridFigure),
  choices: filterChoices,
})

/** Figures of the statistics screen. */
export type Figures = z.output<typeof figures>
