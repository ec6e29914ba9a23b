import { z } from 'zod'
import { uuid } from '#contract/kit/fields.ts'
import { participantFilters } from '#contract/participant-filters.ts'
import type { Crosstab } from '#domain/statistics/crosstab.ts'
import type { KeyFigures } from '#domain/statistics/key-figures.ts'

const period = z.object({ from: z.iso.date(), to: z.iso.date() })

/** Time of the displayed row counts; null if there are none yet. */
const countedAt = z.object({ counted_at: z.iso.datetime().nullable() })

/** Key figures at the top of the screen. Shares are computed by the screen. */
const keyFigures = z.object({
  /** Visits that opened the quiz, at least the number of participants; null under filters other than dates. */
  nb_opened: z.int().nullable(),
  nb_participants: z.int().nullable(),
  /** Number of different addresses (case-insensitive) of participants who gave consent or were not asked for it. */
  nb_addresses: z.int().nullable(),
  /** Median as in `figures.duration`; null if no time is known. */
  median_seconds: z.number().nullable(),
  is_more: z.boolean(),
  /** Participants delivered to at least one email tool. */
  nb_delivered: z.int().nullable(),
  /** Participants per day of the period; without a period, from the first to the last day with participants. */
  days: z.array(z.object({ day: z.iso.date(), count: z.int() })),
}) satisfies z.ZodType<KeyFigures>

/** Key figures of a period, and a comparison of its completed days with the same number of days before. */
export const keyFiguresCall = {
  query: participantFilters.extend({
    /** See `async` of `responses`. */
    async: z.literal('1').optional(),
  }),
  answer: z.object({
    now: keyFigures,
    /**
     * Figures of the compared days; null without `from`, if no day of the period is completed, and if there is no
     * earlier data.
     */
    compared: keyFigures.nullable(),
    /** Figures of the same number of days before; null if `compared` is null. */
    before: keyFigures.nullable(),
    /** Time zone of the days, which is the zone of the creator. */
    time_zone: z.string(),
    /** Period of `now`, up to today without `to`; null without `from`. */
    period: period.nullable(),
    /** Completed days of `period`; null without `from`, or if there are none. */
    period_compared: period.nullable(),
    /** Same number of days directly before `period_compared`; null if `period_compared` is null. */
    period_before: period.nullable(),
    /**
     * Present only with `async`, while a large selection is counted: row counts are of this time, or null if there
     * are none yet. Counters of days are current.
     */
    as_of: countedAt.optional(),
  }),
  summary: 'Visites, participants, adresses, durée et envois d’une période et de la précédente',
}

/** Answer of the key figures call. */
export type KeyFiguresAnswer = z.output<typeof keyFiguresCall.answer>

/** Variable of a cross table: 'result', or the id of a choice question, a scale or a dimension with tiers. */
const side = z
  .string()
  .toLowerCase()
  .regex(/^(result|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/, { error: 'Identifiant invalide' })

const sideCounts = z.object({
  /** Question id; null for the results and for a dimension. */
  question_id: uuid.nullable(),
  /** Dimension id; null for the results and for a question. */
  dimension_id: uuid.nullable(),
  text: z.string(),
  /** True if several answers may be chosen, so that counts may add up to more than the participants. */
  takes_several: z.boolean(),
  items: z.array(
    z.object({
      /** Value for the filter `result`, `answer` or `tier`; null for « no result » and « no tier ». */
      id: z.string().nullable(),
      /** Text in the newest version that contains it. */
      text: z.string(),
      /** Number of counted participants with this value. */
      count: z.int(),
    }),
  ),
})

/** Cross table of two of: a question, a dimension, the results. */
export const crosstabCall = {
  query: participantFilters.extend({
    rows: side,
    columns: side,
    /** See `async` of `responses`. */
    async: z.literal('1').optional(),
  }),
  answer: z.object({
    /** Table; null only during the first count. */
    table: (
      z.object({
        rows: sideCounts,
        columns: sideCounts,
        /** Participants with both values; one list per row. */
        cells: z.array(z.array(z.int())),
        /** Participants with a value on both sides. */
        nb_participants: z.int(),
      }) satisfies z.ZodType<Crosstab>
    ).nullable(),
    /** Present only with `async`, while a large selection is counted: time of the displayed table. */
    as_of: countedAt.optional(),
  }),
  summary:
    'Comment les participants de chaque résultat ou réponse ont répondu à une autre question',
}

/** Answer of the cross table call. */
export type CrosstabAnswer = z.output<typeof crosstabCall.answer>
