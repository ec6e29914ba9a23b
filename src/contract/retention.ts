import { z } from 'zod'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { timestamp } from './kit/fields.ts'

const { retention: at } = calls

/** Months after which participants may be deleted; null: never. */
const months = z.union([z.literal(6), z.literal(12), z.literal(36)]).nullable()

const answer = z.object({
  months,
  /** What is going to be deleted, and when; null when nothing is. */
  announced: z
    .object({
      /** Those who answered before this moment go… */
      before: timestamp,
      /** …at this one or soon after. */
      due_at: timestamp,
      nb_participants: z.int(),
    })
    .nullable(),
})

/** How long the participants of a quiz are kept. */
export const retention = group({
  get: {
    ...at.get,
    access: 'creator',
    answer,
    summary: 'Combien de temps les participants sont gardés',
  },
  set: {
    ...at.set,
    access: 'creator',
    body: z.object({ months }),
    answer,
    summary:
      'Choisir combien de temps les participants sont gardés ; une suppression est annoncée un jour avant',
  },
})
