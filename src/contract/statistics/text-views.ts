import { z } from 'zod'
import { calls } from '#contract/kit/calls.ts'
import { group } from '#contract/kit/endpoint.ts'
import { uuid } from '#contract/kit/fields.ts'
import { VARIANT_PLACES } from '#domain/common/vocabulary.ts'

const { textViews: textViewCalls } = calls

/** Participants who saw the conditional texts of the published version, counted from their stored replies. */
export const textViews = group({
  get: {
    ...textViewCalls.get,
    access: 'quiz_owner',
    query: z.object({
      /** '1' counts the participants; without it, the texts are listed without counts. */
      counts: z.literal('1').optional(),
    }),
    answer: z.object({
      /** True if only the newest participants were read, because there are too many. */
      is_newest: z.boolean(),
      texts: z.array(
        z.object({
          id: uuid,
          place: z.enum(VARIANT_PLACES),
          /** Result of the place 'result'. */
          result_name: z.string().nullable(),
          /** The text of the published version, or of its button. */
          text: z.string(),
          /** Participants whose version has the text; null without `counts`. */
          nb_participants: z.int().nullable(),
          /** Participants who saw the text; for the place 'mail', who meet its conditions. Null without `counts`. */
          nb_shown: z.int().nullable(),
        }),
      ),
    }),
    summary: 'Combien de participants ont vu chaque texte conditionnel de la version publiée',
  },
})
