import { z } from 'zod'
import { CHANNELS, LIMITS, PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { DELIVERY_STATUSES } from '#domain/deliveries/delivery.ts'
import { ERASURE_KINDS, ERASURE_KINDS_OF } from '#domain/deliveries/erasures.ts'
import { DOCUMENT_KINDS } from '#domain/reports/document.ts'
import type { Explanation } from '#domain/run/explanation.ts'
import { CHOICE_LAYOUTS } from '#domain/statistics/export-table.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { enrolment, filledText, timestamp, uuid } from './kit/fields.ts'
import { invitation, quizMode } from './kit/shapes.ts'
import { participantFilters } from './participant-filters.ts'
import { participant, writtenReply } from './statistics/statistics.ts'

const { participants: participantCalls } = calls
const person = z.object({ email: filledText(LIMITS.email) })

/** Erasure request for each tool; an absent tool is not asked. */
const choices = {
  convertkit: z
    .enum(ERASURE_KINDS_OF.convertkit, {
      error: 'Kit permet de désinscrire une personne par son API, pas de la supprimer.',
    })
    .optional(),
  systemio: z
    .enum(ERASURE_KINDS_OF.systemio, {
      error: 'Systeme.io permet de supprimer une personne par son API, pas de la désinscrire.',
    })
    .optional(),
  brevo: z
    .enum(ERASURE_KINDS_OF.brevo, { error: 'Brevo permet de désinscrire ou de supprimer.' })
    .optional(),
} satisfies Record<ProviderName, z.ZodType>

/** Connected tools and webhooks that received the person, or may have. */
const sentTo = z.object({
  /** Tools with the possible kinds of erasure. */
  tools: z.array(z.object({ provider: z.enum(PROVIDERS), kinds: z.array(z.enum(ERASURE_KINDS)) })),
  /** Number of webhooks that will be notified. */
  nb_webhooks: z.int(),
})

const explanation = z.object({
  quiz_mode: quizMode,
  result_name: z.string().nullable(),
  score: z.int().nullable(),
  contributions: z.array(
    z.object({
      question_text: z.string(),
      answer_text: z.string(),
      score: z.int().nullable(),
      points: z.array(z.object({ result_name: z.string(), points: z.int() })),
    }),
  ),
  standings: z.array(
    z.object({
      result_name: z.string(),
      is_reached: z.boolean(),
      points: z.int().nullable(),
      min_score: z.int().nullable(),
      max_score: z.int().nullable(),
      distance: z.int().nullable(),
    }),
  ),
  runner_up: z.object({ result_name: z.string(), margin: z.int() }).nullable(),
  tie: z
    .object({
      result_names: z.array(z.string()),
      settled_by: z.enum(['order', 'question', 'all_shown']),
      question_number: z.int().nullable(),
    })
    .nullable(),
  is_fallback: z.boolean(),
}) satisfies z.ZodType<Explanation>

/** Consent of a participant; null if there was no box and no withdrawal. */
const givenConsent = z
  .object({
    is_given: z.boolean(),
    /** Time at which the participant withdrew the consent on their page; null without a withdrawal. */
    withdrawn_at: z.iso.datetime().nullable(),
    /** Wording that was accepted, before a withdrawal too, and its first day; null if none was. */
    wording: z
      .object({ version: z.int(), text: z.string(), created_at: z.iso.datetime() })
      .nullable(),
  })
  .nullable()

/** Details of a participant: replies, path, result, consent and deliveries. */
const detailed = participant.extend({
  score: z.int().nullable(),
  /** Documents that the participant can download, and the creator too. */
  documents: z.array(z.enum(DOCUMENT_KINDS)),
  /** Pages with questions of the participant's version, in order. `answers` contains the visited pages. */
  path: z.array(
    z.object({
      page_number: z.int(),
      /** True if the page was skipped, so that its questions were not seen. */
      is_left_out: z.boolean(),
      answers: z.array(writtenReply),
    }),
  ),
  /** Consent to forwarding; null if it was not asked. */
  consent: givenConsent,
  /** Consent to measuring openings and clicks; null if it was not asked. */
  measure_consent: givenConsent,
  /** Request to confirm the address, and its proof; null if the participant was not asked. */
  confirmation: z
    .object({
      email: z.string(),
      asked_at: z.iso.datetime(),
      reminded_at: z.iso.datetime().nullable(),
      confirmed_at: z.iso.datetime().nullable(),
      expired_at: z.iso.datetime().nullable(),
    })
    .nullable(),
  deliveries: z.array(
    z.object({
      provider: z.enum(CHANNELS),
      connection_id: uuid,
      /** Address of the webhook; null for a tool. */
      url: z.string().nullable(),
      status: z.enum(DELIVERY_STATUSES),
      attempts: z.int(),
      /** Time of the last attempt; attempts are kept for 30 days. */
      last_attempt_at: z.iso.datetime().nullable(),
      next_attempt_at: z.iso.datetime().nullable(),
      settled_at: z.iso.datetime().nullable(),
      /** Names of the applied tags or lists. */
      labels: z.array(z.string()),
      /** Applied labels of the other kinds. */
      enrolments: z.array(enrolment),
      /** French reason why the delivery failed or lacks a label. */
      reason: z.string().nullable(),
      /** True if the result was not sent because the person has a newer one. */
      is_replaced: z.boolean(),
    }),
  ),
  sent_to: sentTo,
})

/** Invitation of a person, with the names of its questionnaire and campaign. */
const personInvitation = invitation.extend({
  quiz_id: uuid,
  quiz_name: z.string(),
  campaign_name: z.string(),
})

/** Details and deletion of one participant, and of all data of a person. */
export const participants = group({
  explain: {
    ...participantCalls.explain,
    access: 'quiz_owner',
    answer: z.object({ participant: detailed, explanation }),
    summary:
      'Un participant, et pourquoi il a obtenu son résultat : ce que chaque réponse a apporté, et l’écart avec les autres',
  },
  remove: {
    ...participantCalls.remove,
    access: 'quiz_owner',
    query: z.object(choices),
    summary:
      'Supprimer un participant ; les chiffres sont comme s’il n’était jamais venu. Chaque outil nommé le supprime ou le désinscrit aussi',
  },
  ofPerson: {
    ...participantCalls.ofPerson,
    access: 'creator',
    key_scope: 'lecture',
    body: person,
    answer: z.object({
      email: z.string(),
      sent_to: sentTo,
      responses: z.array(
        participant.extend({ quiz_id: uuid, quiz_name: z.string(), score: z.int().nullable() }),
      ),
      invitations: z.array(personInvitation),
    }),
    summary: 'Tout ce qu’une personne a donné aux quiz du compte, par son adresse',
  },
  removePerson: {
    ...participantCalls.removePerson,
    access: 'creator',
    body: person.extend(choices),
    answer: z.object({ nb_deleted: z.int(), nb_invitations: z.int() }),
    summary:
      'Supprimer une personne de tous les quiz du compte, par son adresse. Chaque outil nommé la supprime ou la désinscrit aussi',
  },
})

/** Tools and webhooks that received a person. */
export type SentTo = z.output<typeof sentTo>
/** Participant with all details. */
export type DetailedParticipant = z.output<typeof detailed>

const { retention: retentionCalls } = calls

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
    ...retentionCalls.get,
    access: 'quiz_owner',
    answer,
    summary: 'Combien de temps les participants sont gardés',
  },
  set: {
    ...retentionCalls.set,
    access: 'quiz_owner',
    body: z.object({ months }),
    answer,
    summary:
      'Choisir combien de temps les participants sont gardés ; une suppression est annoncée un jour avant',
  },
})

const { exports: exportCalls } = calls

/** File formats of the export of participants. */
export const EXPORT_FORMATS = ['csv_excel', 'csv', 'xlsx', 'json'] as const

/** Export of participants as a file. */
export const exports = group({
  link: {
    ...exportCalls.link,
    access: 'quiz_owner',
    key_scope: 'lecture',
    body: participantFilters.extend({
      format: z.enum(EXPORT_FORMATS),
      /** Layout of questions with several answers: one cell, or a column for each choice. JSON always lists choices. */
      choices: z.enum(CHOICE_LAYOUTS).default('joined'),
    }),
    answer: z.object({
      /** Address on this server that downloads the file, without a token of the session. */
      url: z.string(),
      file_name: z.string(),
      expires_at: timestamp,
    }),
    summary: 'Un lien de courte durée vers les participants en fichier (CSV, Excel ou JSON)',
  },
})
