import { z } from 'zod'
import { CHANNELS, LIMITS, PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { DELIVERY_STATUSES } from '#domain/deliveries/delivery.ts'
import { ERASURE_KINDS, ERASURE_KINDS_OF } from '#domain/deliveries/erasures.ts'
import type { Explanation } from '#domain/run/explanation.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { filledText, uuid } from './kit/fields.ts'
import { quizMode } from './kit/shapes.ts'
import { participant, writtenReply } from './statistics.ts'

const { participants: at } = calls
const person = z.object({ email: filledText(LIMITS.email) })

/** What is asked of each tool that a person was sent to; a tool that is left out is asked nothing. */
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

/** The tools and webhooks, still connected, that a person was sent to or may have been. */
const sentTo = z.object({
  /** With what their erasure may ask of each. */
  tools: z.array(z.object({ provider: z.enum(PROVIDERS), kinds: z.array(z.enum(ERASURE_KINDS)) })),
  /** Those that will be told of it. */
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

/** What a participant did and got, and what became of it. */
const detailed = participant.extend({
  score: z.int().nullable(),
  /** The pages with questions of the version that they took, in order; `answers` are those of the pages passed. */
  path: z.array(
    z.object({
      page_number: z.int(),
      /** Not on their path: its questions were not seen. */
      is_left_out: z.boolean(),
      answers: z.array(writtenReply),
    }),
  ),
  /** What they were asked to agree to before their address goes to a tool; null when they were not asked. */
  consent: z
    .object({
      is_given: z.boolean(),
      /** The wording that they agreed to, and since when the quiz had it; null when they did not agree. */
      wording: z
        .object({ version: z.int(), text: z.string(), created_at: z.iso.datetime() })
        .nullable(),
    })
    .nullable(),
  deliveries: z.array(
    z.object({
      provider: z.enum(CHANNELS),
      connection_id: uuid,
      /** The address of a webhook; null of a tool. */
      url: z.string().nullable(),
      status: z.enum(DELIVERY_STATUSES),
      attempts: z.int(),
      /** Tries are kept for thirty days. */
      last_attempt_at: z.iso.datetime().nullable(),
      next_attempt_at: z.iso.datetime().nullable(),
      settled_at: z.iso.datetime().nullable(),
      /** Names of the tags or lists that were applied. */
      labels: z.array(z.string()),
      /** Why it is not there, or not with every tag or list, in a sentence. */
      reason: z.string().nullable(),
      /** Sent without this result: the person has a newer one. */
      is_replaced: z.boolean(),
    }),
  ),
  sent_to: sentTo,
})

/** One participant, or everything of one person. */
export const participants = group({
  explain: {
    ...at.explain,
    access: 'creator',
    answer: z.object({ participant: detailed, explanation }),
    summary:
      'Un participant, et pourquoi il a obtenu son résultat : ce que chaque réponse a apporté, et l’écart avec les autres',
  },
  remove: {
    ...at.remove,
    access: 'creator',
    query: z.object(choices),
    summary:
      'Supprimer un participant ; les chiffres sont comme s’il n’était jamais venu. Chaque outil nommé le supprime ou le désinscrit aussi',
  },
  ofPerson: {
    ...at.ofPerson,
    access: 'creator',
    key_scope: 'lecture',
    body: person,
    answer: z.object({
      email: z.string(),
      sent_to: sentTo,
      responses: z.array(
        participant.extend({ quiz_id: uuid, quiz_name: z.string(), score: z.int().nullable() }),
      ),
    }),
    summary: 'Tout ce qu’une personne a donné aux quiz du compte, par son adresse',
  },
  removePerson: {
    ...at.removePerson,
    access: 'creator',
    body: person.extend(choices),
    answer: z.object({ nb_deleted: z.int() }),
    summary:
      'Supprimer une personne de tous les quiz du compte, par son adresse. Chaque outil nommé la supprime ou la désinscrit aussi',
  },
})

export type SentTo = z.output<typeof sentTo>
export type DetailedParticipant = z.output<typeof detailed>
