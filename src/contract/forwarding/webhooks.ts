import { z } from 'zod'
import { calls } from '#contract/kit/calls.ts'
import { group } from '#contract/kit/endpoint.ts'
import { filledText, uuid } from '#contract/kit/fields.ts'
import { replacedFields } from '#contract/kit/replaced-fields.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'

const { webhooks: webhookCalls } = calls
const url = filledText(LIMITS.address)

const webhook = z.object({
  id: uuid,
  /** Whole address for a session; only its host for an API key. */
  url: z.string(),
  /** 'paused': deliveries wait. 'needs_attention': the address must be corrected, and deliveries wait. */
  state: z.enum(['active', 'paused', 'needs_attention']),
  /** French sentence about what the creator must do. */
  message: z.string().nullable(),
  /** Time until which the previous secret also signs; null if there is one secret. */
  previous_secret_until: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
})
/** Webhook with its secret, which only this answer contains. */
const withSecret = z.object({ webhook, secret: z.string() })

/** Webhooks of a quiz (docs/webhooks.md). */
export const webhooks = group({
  list: {
    ...webhookCalls.list,
    access: 'quiz_owner',
    answer: z.object({ webhooks: z.array(webhook) }),
    summary:
      'Les webhooks d’un quiz ; une clé d’API lit l’hôte de chaque adresse, et non son chemin',
  },
  add: {
    ...webhookCalls.add,
    access: 'quiz_owner',
    key_scope: 'none',
    creates: true,
    body: z.object({ url }),
    answer: withSecret,
    summary:
      'Envoyer dès maintenant chaque participant à une adresse https ; donne son secret, une seule fois',
  },
  update: {
    ...webhookCalls.update,
    access: 'quiz_owner',
    key_scope: 'none',
    body: z.object({
      url: url.optional(),
      is_paused: z.boolean().optional(),
      ...replacedFields({ url }),
    }),
    answer: webhook,
    summary: 'Changer l’adresse d’un webhook, ou le mettre en pause',
  },
  remove: {
    ...webhookCalls.remove,
    access: 'quiz_owner',
    summary: 'Supprimer un webhook ; ce qui l’attendait est refusé',
  },
  rotate: {
    ...webhookCalls.rotate,
    access: 'quiz_owner',
    key_scope: 'none',
    answer: withSecret,
    summary: 'Créer un autre secret ; pendant 24 heures, l’ancien signe aussi',
  },
  test: {
    ...webhookCalls.test,
    access: 'quiz_owner',
    answer: z.object({
      has_arrived: z.boolean(),
      message: z.string(),
      /** Status of the answer; null without an answer. */
      status: z.int().nullable(),
      /** Beginning of the answer body. */
      text: z.string(),
      /** Exact content that was sent. */
      body: z.string(),
    }),
    summary: 'Envoyer maintenant un événement signé de type test, et dire ce qui a été répondu',
  },
})

/** Webhook in a list. */
export type ListedWebhook = z.output<typeof webhook>
