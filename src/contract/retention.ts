import { z } from 'zod'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { timestamp } from './kit/fields.ts'

const { retention: at } = calls

/** Months until participants are deleted; null for never. */
const months = z.union([z.literal(6), z.literal(12), z.literal(36)]).nullable()

const answer = z.object({
  months,
  /** Announced deletion; null if there is none. */
  announced: z
    .object({
      /** Participants who answered before this time are deleted. */
      before: timestamp,
      /** Time of the deletion, or soon after. */
      due_at: timestamp,
      nb_participants: z.int(),
    })
    .nullable(),
})

/** Retention period of the participants of a quiz. */
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
