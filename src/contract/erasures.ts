import { z } from 'zod'
import { CHANNELS } from '#domain/common/vocabulary.ts'
import { ERASURE_KINDS, ERASURE_STATUSES } from '#domain/deliveries/erasures.ts'
import { PAGE_ACTION_KINDS } from '#domain/participant-pages/page-actions.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { timestamp, uuid } from './kit/fields.ts'

const { erasures: erasureCalls } = calls

const erasure = z.object({
  id: uuid,
  provider: z.enum(CHANNELS),
  /** Address of the webhook; null for a tool. */
  url: z.string().nullable(),
  /** Kind of request; 'event' means a notice to a webhook. */
  kind: z.enum([...ERASURE_KINDS, 'event']),
  status: z.enum(ERASURE_STATUSES),
  created_at: timestamp,
  settled_at: timestamp.nullable(),
  next_attempt_at: timestamp.nullable(),
  /** Answer of the receiver as a French sentence; null before the answer. */
  message: z.string().nullable(),
  can_retry: z.boolean(),
  /** True if the participant requested the erasure on their page. */
  by_participant: z.boolean(),
})

const pageAction = z.object({ id: uuid, kind: z.enum(PAGE_ACTION_KINDS), created_at: timestamp })

/** Erasure requests to tools and notices to webhooks, without personal data of the erased people. */
export const erasures = group({
  list: {
    ...erasureCalls.list,
    access: 'quiz_owner',
    answer: z.object({
      erasures: z.array(erasure),
      /** Erasures and withdrawals that participants made on their pages, newest first, without personal data. */
      page_actions: z.array(pageAction),
    }),
    summary:
      'Les 100 derniers effacements demandés aux outils et annoncés aux webhooks, ce que chacun a répondu, et les droits que des participants ont exercés depuis leur page',
  },
  retry: {
    ...erasureCalls.retry,
    access: 'quiz_owner',
    summary: 'Réessayer maintenant un effacement qui n’a pas abouti',
  },
})

/** Action that a participant took on their page, in a list. */
export type ListedPageAction = z.output<typeof pageAction>
/** Erasure request in a list. */
export type ListedErasure = z.output<typeof erasure>
