import { z } from 'zod'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { filledText, uuid } from './kit/fields.ts'

const { webhooks: at } = calls
const url = filledText(LIMITS.address)

const webhook = z.object({
  id: uuid,
  /** Whole address for a session; only its host for an API key. */
  url: z.string(),
  /** paused: what comes meanwhile waits; needs_attention: the address has to be mended, and what comes waits too. */
  state: z.enum(['active', 'paused', 'needs_attention']),
  /** What the creator has to do, in a sentence. */
  message: z.string().nullable(),
  /** Until then the secret of before signs too; null when there is one secret. */
  previous_secret_until: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
})
/** The secret is in this answer and in no other. */
const withSecret = z.object({ webhook, secret: z.string() })

/** The addresses that get every participant of a quiz (docs/webhooks.md). */
export const webhooks = group({
  list: {
    ...at.list,
    access: 'creator',
    answer: z.object({ webhooks: z.array(webhook) }),
    summary:
      'Les webhooks d’un quiz ; une clé d’API lit l’hôte de chaque adresse, et non son chemin',
  },
  add: {
    ...at.add,
    access: 'creator',
    key_scope: 'none',
    creates: true,
    body: z.object({ url }),
    answer: withSecret,
    summary:
      'Envoyer dès maintenant chaque participant à une adresse https ; donne son secret, une seule fois',
  },
  update: {
    ...at.update,
    access: 'creator',
    key_scope: 'none',
    body: z.object({ url: url.optional(), is_paused: z.boolean().optional() }),
    answer: webhook,
    summary: 'Changer l’adresse d’un webhook, ou le mettre en pause',
  },
  remove: {
    ...at.remove,
    access: 'creator',
    summary: 'Supprimer un webhook ; ce qui l’attendait est refusé',
  },
  rotate: {
    ...at.rotate,
    access: 'creator',
    key_scope: 'none',
    answer: withSecret,
    summary: 'Créer un autre secret ; pendant 24 heures, l’ancien signe aussi',
  },
  test: {
    ...at.test,
    access: 'creator',
    answer: z.object({
      has_arrived: z.boolean(),
      message: z.string(),
      /** The status of the answer; null when there was none. */
      status: z.int().nullable(),
      /** The beginning of the answer. */
      text: z.string(),
      /** What was sent, exactly. */
      body: z.string(),
    }),
    summary: 'Envoyer maintenant un événement signé de type test, et dire ce qui a été répondu',
  },
})

export type ListedWebhook = z.output<typeof webhook>
