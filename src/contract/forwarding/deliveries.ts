import { z } from 'zod'
import { calls } from '#contract/kit/calls.ts'
import { group } from '#contract/kit/endpoint.ts'
import { enrolment, filledText, text, timestamp, uuid } from '#contract/kit/fields.ts'
import { CHANNELS, LIMITS, PROVIDERS } from '#domain/common/vocabulary.ts'
import { DELIVERY_STATUSES } from '#domain/deliveries/delivery.ts'

const { deliveries: deliveryCalls } = calls
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
  awaiting_confirmation: z.int(),
  not_confirmed: z.int(),
}

const ledger = z.object({
  provider: channel,
  /** Connection of the tool or webhook; null if the tool is not connected. */
  connection_id: uuid.nullable(),
  /** Address of the webhook; null for other receivers. */
  url: z.string().nullable(),
  is_enabled: z.boolean(),
  /**
   * State of the connection. 'paused': the creator paused the webhook. 'disconnected' also means a deleted webhook or
   * a disabled mail.
   */
  connection: z.enum(['active', 'needs_attention', 'paused', 'disconnected']),
  /** French sentence about what the creator must do for the connection. */
  message: z.string().nullable(),
  /** Participants by state; `nb_participants` is the sum of the other fields. */
  balance: z.object({ nb_participants: z.int(), ...counts, not_forwarded: z.int() }),
  /** Result of the last search for missing deliveries; null before the first. */
  check: z.object({ checked_at: timestamp, nb_checked: z.int(), nb_missing: z.int() }).nullable(),
})

const delivery = z.object({
  participant_uuid: uuid,
  provider: channel,
  connection_id: uuid,
  /** Address of the webhook; null for other receivers. */
  url: z.string().nullable(),
  /** True if the webhook was deleted or the mail disabled, so that no retry is possible. */
  is_removed: z.boolean(),
  email: z.string().nullable(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  result_name: z.string().nullable(),
  status,
  created_at: timestamp,
  next_attempt_at: timestamp.nullable(),
  attempts: z.int(),
  /** Names of the applied tags or lists. */
  labels: z.array(z.string()),
  /** Applied labels of the other kinds. */
  enrolments: z.array(enrolment),
  /** French reason why the delivery failed or lacks a label. */
  reason: z.string().nullable(),
  /** True if the result was not sent because the person has a newer one. */
  is_replaced: z.boolean(),
})

/** Deliveries of participants to email tools, webhooks and mailboxes. */
export const deliveries = group({
  list: {
    ...deliveryCalls.list,
    access: 'quiz_owner',
    query: z.object({
      provider: channel.optional(),
      status: status.optional(),
      /** Address, name or phone number, as in the filters of participants. */
      email: text(LIMITS.email).optional(),
      cursor: z.string().max(200).optional(),
    }),
    answer: z.object({
      ledgers: z.array(ledger),
      /** True if the published version has an email question; null if the quiz is not published. */
      asks_for_email: z.boolean().nullable(),
      deliveries: z.array(delivery),
      next_cursor: z.string().nullable(),
    }),
    summary:
      'Le bilan de chaque outil et de chaque webhook, et les envois des plus récents aux plus anciens',
  },
  retry: {
    ...deliveryCalls.retry,
    access: 'quiz_owner',
    body: z.object({
      provider: channel,
      /** Webhook, if there are several. */
      connection_id: uuid.optional(),
      participant_uuid: uuid.optional(),
    }),
    answer: z.object({ nb_retried: z.int() }),
    summary: 'Réessayer maintenant un envoi, ou tous ceux qu’un outil ou un webhook a refusés',
  },
  test: {
    ...deliveryCalls.test,
    access: 'quiz_owner',
    body: z.object({
      provider,
      email: filledText(LIMITS.email),
      /** Automation whose label is applied in the test. */
      automation_id: uuid.optional(),
    }),
    answer: z.object({
      /** Exact content that was sent. */
      contact: z.object({
        email: z.string(),
        /** Fields with the names of the tool. */
        fields: z.array(z.object({ key: z.string(), value: z.string() })),
        /** Names of tags, or of lists at Brevo. */
        labels: z.array(z.string()),
        /** Labels of the other kinds. */
        enrolments: z.array(enrolment),
      }),
      has_arrived: z.boolean(),
      message: z.string(),
    }),
    summary: 'Envoyer maintenant un contact à un outil, pour le voir arriver',
  },
  earlier: {
    ...deliveryCalls.earlier,
    access: 'quiz_owner',
    answer: z.object({
      /** Connected tools with earlier participants that were not sent. */
      providers: z.array(
        z.object({
          provider,
          nb_participants: z.int(),
          /** Participants with an address who were not asked for consent, and can therefore not be sent. */
          nb_not_asked: z.int(),
        }),
      ),
    }),
    summary:
      'Combien de participants venus avant l’activation d’un outil peuvent lui être envoyés : adresse et consentement',
  },
  sendEarlier: {
    ...deliveryCalls.sendEarlier,
    access: 'quiz_owner',
    body: z.object({ provider }),
    answer: z.object({ nb_sent: z.int() }),
    summary: 'Envoyer les participants venus avant l’activation d’un outil, chacun une fois',
  },
  summary: {
    ...deliveryCalls.summary,
    access: 'creator',
    answer: z.object({
      providers: z.array(
        z.object({
          provider,
          ...counts,
          /** True if the tool refuses the account. Deliveries wait until it is connected again. */
          needs_attention: z.boolean(),
        }),
      ),
      /**
       * True if the creator gets a mail when a tool refuses the account. Such a mail requires a mail server and an
       * address.
       */
      is_told_by_mail: z.boolean(),
    }),
    summary: 'Combien d’envois de tous les quiz du compte il y a de chaque sorte',
  },
})

/** Balance and connections of the deliveries of a quiz. */
export type Ledger = z.output<typeof ledger>
/** Delivery in a list. */
export type ListedDelivery = z.output<typeof delivery>
