import { z } from 'zod'
import { uuid } from '#contract/kit/fields.ts'
import { questionType } from '#contract/kit/shapes.ts'
import { filterChoices } from '#contract/participant-filters.ts'
import type { NumberSummary } from '#domain/common/numbers.ts'
import type { ConfirmationCounts } from '#domain/confirmations/confirmation.ts'
import type { DimensionFigures } from '#domain/statistics/dimension-figures.ts'
import type { GridFigure } from '#domain/statistics/grid-figures.ts'
import type { QuestionFigures } from '#domain/statistics/question-figures.ts'
import type { RightAnswerFigures } from '#domain/statistics/right-answers.ts'
import type { Source } from '#domain/statistics/sources.ts'

const numberSummary = z.object({
  count: z.int(),
  mean: z.number(),
  median: z.number(),
  min: z.number(),
  max: z.number(),
  histogram: z.array(z.object({ from: z.number(), to: z.number(), count: z.int() })),
}) satisfies z.ZodType<NumberSummary>

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
  /** Participants who were asked to confirm their address, by state; null if there are none. */
  confirmation: z
    .object({
      nb_asked: z.int(),
      nb_confirmed: z.int(),
      nb_waiting: z.int(),
      nb_expired: z.int(),
    })
    .nullable() satisfies z.ZodType<ConfirmationCounts | null>,
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
        /** Participants who confirmed their address; null if the version asked no participant. */
        nb_confirmed: z.int().nullable(),
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
