import { z } from 'zod'
import type { Replay } from '#domain/publishing/replay.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { uuid } from './kit/fields.ts'

const { replay: at } = calls

const named = z.object({ id: uuid, name: z.string() }).nullable()

/** What publishing the draft would change for those who have taken the quiz. */
export const replay = group({
  get: {
    ...at.get,
    access: 'creator',
    answer: z.object({
      /** All that are stored; `nb_replayed`, the newest of them, is less where they are too many. */
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
