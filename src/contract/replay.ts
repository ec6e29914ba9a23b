import { z } from 'zod'
import type { Replay } from '#domain/publishing/replay.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { uuid } from './kit/fields.ts'

const { replay: at } = calls

const named = z.object({ id: uuid, name: z.string() }).nullable()

/** Effects of publishing the draft on existing participants. */
export const replay = group({
  get: {
    ...at.get,
    access: 'creator',
    answer: z.object({
      /** Number of stored participants. `nb_replayed` is smaller if only the newest are replayed. */
      nb_participants: z.int(),
      nb_replayed: z.int(),
      results: z
        .object({
          nb_changed: z.int(),
          moves: z.array(z.object({ from: named, to: named, count: z.int() })),
        })
        .nullable(),
      nb_lost_replies: z.int(),
      nb_losing: z.int(),
    }) satisfies z.ZodType<Replay>,
    summary:
      'Les résultats que les participants obtiendraient avec le brouillon ; rien n’est changé',
  },
})
