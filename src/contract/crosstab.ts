import { z } from 'zod'
import type { Crosstab } from '#domain/crosstab.ts'
import { participantFilters } from './filters.ts'
import { countedAt } from './key-figures.ts'
import { uuid } from './text-shapes.ts'

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
