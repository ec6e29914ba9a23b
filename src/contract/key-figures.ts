import { z } from 'zod'
import type { Crosstab } from '#domain/statistics/crosstab.ts'
import type { KeyFigures } from '#domain/statistics/key-figures.ts'
import { participantFilters } from './figures.ts'
import { uuid } from './kit/fields.ts'

const period = z.object({ from: z.iso.date(), to: z.iso.date() })

/** Since when counts of rows are those of a moment ago; null: there are none yet. */
const countedAt = z.object({ counted_at: z.iso.datetime().nullable() })

/** The figures at the head of the screen; shares are made of them by who shows them. */
const keyFigures = z.object({
  /** Visits that opened the quiz, at least as many as participants. Null under filters that leave some participants out, dates apart. */
  nb_opened: z.int().nullable(),
  nb_participants: z.int().nullable(),
  /** Different addresses, in capitals or not, of those who were shown no box of consent, or ticked it. */
  nb_addresses: z.int().nullable(),
  /** As `figures.duration`; null too when no time is known. */
  median_seconds: z.number().nullable(),
  is_more: z.boolean(),
  /** Participants who arrived at one of the email tools at least, each once. */
  nb_delivered: z.int().nullable(),
  /** Every day of the period; without one, from the first to the last day with participants. */
  days: z.array(z.object({ day: z.iso.date(), count: z.int() })),
}) satisfies z.ZodType<KeyFigures>

/** The key figures of some days; and, of those that are over, beside the same of as many days before them. */
export const keyFiguresCall = {
  query: participantFilters.extend({
    /** As of `responses`. */
    async: z.literal('1').optional(),
  }),
  answer: z.object({
    now: keyFigures,
    /** Of the days that are compared. Null without `from`, while no day of the period is over, and when nothing was counted before. */
    compared: keyFigures.nullable(),
    /** Of as many days before, what `compared` is to be compared with; null as it is. */
    before: keyFigures.nullable(),
    /** Time zone of the days, which is the zone of the creator. */
    time_zone: z.string(),
    /** The days of `now`, up to today without `to`; null without `from`. */
    period: period.nullable(),
    /** The days of `period` that are over: today has no equal before it. Null without `from`, and while there are none. */
    period_compared: period.nullable(),
    /** The same days of the period of as many days just before `period`; null as `period_compared` is. */
    period_before: period.nullable(),
    /**
     * Only where `async` was asked, and while a large selection is being counted: what is made of rows is of this
     * moment, or null (and `days` empty) when there is none; what counters say of days is of now.
     */
    as_of: countedAt.optional(),
  }),
  summary: 'Visites, participants, adresses, durée et envois d’une période et de la précédente',
}

export type KeyFiguresAnswer = z.output<typeof keyFiguresCall.answer>

/** The results, or a choice or scale question by its id. */
const side = z
  .string()
  .toLowerCase()
  .regex(/^(result|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/, { error: 'Identifiant invalide' })

const sideCounts = z.object({
  /** Null of the results. */
  question_id: uuid.nullable(),
  text: z.string(),
  /** Whether several answers may be chosen: their counts may add up to more than the participants. */
  takes_several: z.boolean(),
  items: z.array(
    z.object({
      /** What the filters `result` and `answer` take; null: no result. */
      id: z.string().nullable(),
      /** In the words of the newest version that has it. */
      text: z.string(),
      /** Of the participants who are counted, those who have it. */
      count: z.int(),
    }),
  ),
})

/** Who gives which answer: two questions, or one and the results. */
export const crosstabCall = {
  query: participantFilters.extend({
    rows: side,
    columns: side,
    /** As of `responses`. */
    async: z.literal('1').optional(),
  }),
  answer: z.object({
    /** Null only while it is counted for the first time. */
    table: (
      z.object({
        rows: sideCounts,
        columns: sideCounts,
        /** Participants with both, a list for each row. */
        cells: z.array(z.array(z.int())),
        /** Those who have something on both sides. */
        nb_participants: z.int(),
      }) satisfies z.ZodType<Crosstab>
    ).nullable(),
    /** Only where `async` was asked, and while a large selection is being counted: the table is of this moment. */
    as_of: countedAt.optional(),
  }),
  summary:
    'Comment les participants de chaque résultat ou réponse ont répondu à une autre question',
}

export type CrosstabAnswer = z.output<typeof crosstabCall.answer>
