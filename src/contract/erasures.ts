import { z } from 'zod'
import { CHANNELS } from '#domain/common/vocabulary.ts'
import { ERASURE_KINDS, ERASURE_STATUSES } from '#domain/deliveries/erasures.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { timestamp, uuid } from './kit/fields.ts'

const { erasures: at } = calls

const erasure = z.object({
  id: uuid,
  provider: z.enum(CHANNELS),
  /** The address of a webhook; null of a tool. */
  url: z.string().nullable(),
  /** What was asked; event: a webhook is told. */
  kind: z.enum([...ERASURE_KINDS, 'event']),
  status: z.enum(ERASURE_STATUSES),
  created_at: timestamp,
  settled_at: timestamp.nullable(),
  next_attempt_at: timestamp.nullable(),
  /** What the other side answered, in a sentence; null while it has not. */
  message: z.string().nullable(),
  can_retry: z.boolean(),
})

/** What was asked of tools and told to webhooks of people who were erased; nothing here says who they were. */
export const erasures = group({
  list: {
    ...at.list,
    access: 'creator',
    answer: z.object({ erasures: z.array(erasure) }),
    summary:
      'Les 100 derniers effacements demandés aux outils et annoncés aux webhooks, et ce que chacun a répondu',
  },
  retry: {
    ...at.retry,
    access: 'creator',
    summary: 'Réessayer maintenant un effacement qui n’a pas abouti',
  },
})

export type ListedErasure = z.output<typeof erasure>
