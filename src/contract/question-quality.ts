import { z } from 'zod'
import type { QuestionQuality } from '#domain/statistics/question-quality.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { uuid } from './kit/fields.ts'

const { questionQuality: at } = calls

const judged = z.object({
  id: uuid,
  text: z.string(),
  nb_asked: z.int(),
  /** Correlation, from -1 to 1. */
  correlation: z.number().nullable(),
  alpha_without: z.number().nullable(),
  /** Influence on the result, from 0 to 1. */
  decides: z.number(),
  unused_answers: z.array(z.object({ id: uuid, text: z.string() })),
})

/** Quality of the questions of a published score quiz. */
export const questionQuality = group({
  get: {
    ...at.get,
    access: 'creator',
    answer: z.object({
      /** True if only the newest participants were read, because there are too many. */
      is_newest: z.boolean(),
      /** Number of participants whose replies do not fit the published version. */
      nb_left_out: z.int(),
      quality: z
        .object({
          nb_participants: z.int(),
          alpha: z.number().nullable(),
          questions: z.array(judged),
        })
        .nullable() satisfies z.ZodType<QuestionQuality | null>,
      /** Reason for a missing analysis: the version has no score, or fewer than 30 participants fit it. */
      reason: z.enum(['no_score', 'too_few']).optional(),
    }),
    summary: 'Si les questions de la version publiée distinguent bien les participants',
  },
})
