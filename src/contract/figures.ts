import { z } from 'zod'
import type { NumberSummary } from '#domain/numbers.ts'
import { questionType } from './shapes.ts'
import { uuid } from './text-shapes.ts'

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
  results: z.array(z.object({ id: uuid, name: z.string() })),
  questions: z.array(
    z.object({
      id: uuid,
      text: z.string(),
      answers: z.array(z.object({ id: uuid, text: z.string() })),
    }),
  ),
})

/** How participants are spread over the results. */
export const resultShares = z.array(
  z.object({ result_name: z.string(), count: z.int(), percentage: z.number() }),
)

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
   * last has the participants. Null under filters that leave some participants out, dates apart.
   */
  visits: z
    .array(
      z.object({
        version: z.int(),
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
  questions: z.record(
    uuid,
    z.object({
      type: questionType,
      /** Participants who had this question. */
      nb_participants: z.int(),
      /** Of a number question; null of none, and when too many different ones were given. */
      numbers: numberSummary.nullable(),
    }),
  ),
  choices: filterChoices,
})

export type Figures = z.output<typeof figures>
