import { z } from 'zod'
import { CHANNELS, LIMITS, PROVIDERS } from '#domain/common/vocabulary.ts'
import { DELIVERY_STATUSES } from '#domain/deliveries/delivery.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { filledText, text, timestamp, uuid } from './kit/fields.ts'

const { deliveries: at } = calls
const provider = z.enum(PROVIDERS)
const channel = z.enum(CHANNELS)
const status = z.enum(DELIVERY_STATUSES)

const counts = {
  pending: z.int(),
  delivered: z.int(),
  suppressed: z.int(),
  refused: z.int(),
  no_consent: z.int(),
  no_email: z.int(),
}

const ledger = z.object({
  provider: channel,
  /** Null of a tool that is not connected. */
  connection_id: uuid.nullable(),
  /** The address of a webhook; null of the others. */
  url: z.string().nullable(),
  is_enabled: z.boolean(),
  /** paused: its creator has a webhook wait; disconnected: also a webhook that was removed, or a mail that was switched off. */
  connection: z.enum(['active', 'needs_attention', 'paused', 'disconnected']),
  /** What the creator has to do about the connection, in a sentence. */
  message: z.string().nullable(),
  /** nb_participants is the sum of all the others. */
  balance: z.object({ nb_participants: z.int(), ...counts, not_forwarded: z.int() }),
  /** What the last look for missing deliveries found; null before the first. */
  check: z.object({ checked_at: timestamp, nb_checked: z.int(), nb_missing: z.int() }).nullable(),
})

const delivery = z.object({
  participant_uuid: uuid,
  provider: channel,
  connection_id: uuid,
  /** The address of a webhook; null of the others. */
  url: z.string().nullable(),
  /** To a webhook that was removed, or by a mail that was switched off: it cannot be tried again. */
  is_removed: z.boolean(),
  email: z.string().nullable(),
  result_name: z.string().nullable(),
  status,
  created_at: timestamp,
  next_attempt_at: timestamp.nullable(),
  attempts: z.int(),
  /** Names of the tags or lists that were applied. */
  labels: z.array(z.string()),
  /** Why it is not there, or not with every tag or list, in a sentence. */
  reason: z.string().nullable(),
  /** Sent without this result: the person has a newer one. */
  is_replaced: z.boolean(),
})

/** What became of each participant at each email tool and webhook. */
export const deliveries = group({
  list: {
    ...at.list,
    access: 'creator',
    query: z.object({
      provider: channel.optional(),
      status: status.optional(),
      /** The beginning of an address. */
      email: text(LIMITS.email).optional(),
      cursor: z.string().max(200).optional(),
    }),
    answer: z.object({
      ledgers: z.array(ledger),
      /** Whether the published version has an email question; null when the quiz is not published. */
      asks_for_email: z.boolean().nullable(),
      deliveries: z.array(delivery),
      next_cursor: z.string().nullable(),
    }),
    summary:
      'Le bilan de chaque outil et de chaque webhook, et les envois des plus récents aux plus anciens',
  },
  retry: {
    ...at.retry,
    access: 'creator',
    body: z.object({
      provider: channel,
      /** Of several webhooks, which one. */
      connection_id: uuid.optional(),
      participant_uuid: uuid.optional(),
    }),
    answer: z.object({ nb_retried: z.int() }),
    summary: 'Réessayer maintenant un envoi, ou tous ceux qu’un outil ou un webhook a refusés',
  },
  test: {
    ...at.test,
    access: 'creator',
    body: z.object({
      provider,
      email: filledText(LIMITS.email),
      /** Of an automation of that tool: with its tag or list. */
      automation_id: uuid.optional(),
    }),
    answer: z.object({
      /** What was sent, exactly. */
      contact: z.object({
        email: z.string(),
        /** As the tool calls them. */
        fields: z.array(z.object({ key: z.string(), value: z.string() })),
        /** Names of tags, or of lists of Brevo. */
        labels: z.array(z.string()),
      }),
      has_arrived: z.boolean(),
      message: z.string(),
    }),
    summary: 'Envoyer maintenant un contact à un outil, pour le voir arriver',
  },
  earlier: {
    ...at.earlier,
    access: 'creator',
    answer: z.object({
      /** The tools that the quiz forwards to, and that have earlier participants, sent or not asked for their consent. */
      providers: z.array(
        z.object({
          provider,
          nb_participants: z.int(),
          /** Those with an address who came unasked, and cannot be sent as the quiz asks now. */
          nb_not_asked: z.int(),
        }),
      ),
    }),
    summary:
      'Combien de participants venus avant l’activation d’un outil peuvent lui être envoyés : adresse et consentement',
  },
  sendEarlier: {
    ...at.sendEarlier,
    access: 'creator',
    body: z.object({ provider }),
    answer: z.object({ nb_sent: z.int() }),
    summary: 'Envoyer les participants venus avant l’activation d’un outil, chacun une fois',
  },
  summary: {
    ...at.summary,
    access: 'creator',
    answer: z.object({
      providers: z.array(
        z.object({
          provider,
          ...counts,
          /** Whether the tool refuses the account: nothing is sent until it is connected again. */
          needs_attention: z.boolean(),
        }),
      ),
      /** Whether a mail says so when a tool stops accepting the account: there are a mail server and an address. */
      is_told_by_mail: z.boolean(),
    }),
    summary: 'Combien d’envois de tous les quiz du compte il y a de chaque sorte',
  },
})

export type Ledger = z.output<typeof ledger>
export type ListedDelivery = z.output<typeof delivery>
