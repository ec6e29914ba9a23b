import { z } from 'zod'
import { LIMITS, PROVIDERS } from '#domain/common/vocabulary.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { filledText, timestamp, uuid } from './kit/fields.ts'

const { automations: at } = calls
const provider = z.enum(PROVIDERS)

const automation = z.object({
  id: uuid,
  provider,
  /** Of whom: those with this result, or who chose this answer of this question. */
  result_id: uuid.nullable(),
  question_id: uuid.nullable(),
  answer_id: uuid.nullable(),
  /** The tag, or the list of Brevo. */
  label_name: z.string(),
  /** Its number at the tool, when it was picked there. */
  vendor_id: z.string().nullable(),
  /** What it does, in a sentence. */
  sentence: z.string(),
  /** The draft has not got the result or the answer any more; it holds for those who took a version that had. */
  is_orphan: z.boolean(),
  created_at: timestamp,
})

/** It calls the tool with the account's secret, and keeps what that says of the account. */
const ofAccount = {
  access: 'creator',
  key_scope: 'none',
  /** As the tool says at most a minute ago, and as far as it is asked. */
  answer: z.object({ labels: z.array(z.object({ vendor_id: z.string(), name: z.string() })) }),
} as const

/** What happens to participants by their result or an answer: tags, and lists of Brevo. */
export const automations = group({
  list: {
    ...at.list,
    access: 'creator',
    answer: z.object({ automations: z.array(automation) }),
    summary:
      'Les automatisations d’un quiz : quel tag ou quelle liste pour quel résultat ou quelle réponse',
  },
  add: {
    ...at.add,
    access: 'creator',
    creates: true,
    body: z.object({
      provider,
      /** A result, or a question with one of its answers. */
      result_id: uuid.optional(),
      question_id: uuid.optional(),
      answer_id: uuid.optional(),
      label_name: filledText(LIMITS.label_name),
      /** As the account's own are listed; without it the tag or list of this name, which is created when there is none. */
      vendor_id: z
        .string()
        .regex(/^\d{1,20}$/)
        .optional(),
    }),
    answer: z.object({ automation }),
    summary: 'Ajouter une automatisation, qui vaut dès le prochain envoi',
  },
  remove: {
    ...at.remove,
    access: 'creator',
    summary: 'Supprimer une automatisation ; les tags et listes déjà donnés restent',
  },
  kitLabels: {
    ...at.kitLabels,
    ...ofAccount,
    summary: 'Demander à Kit quels tags a le compte connecté',
  },
  systemioLabels: {
    ...at.systemioLabels,
    ...ofAccount,
    summary: 'Demander à Systeme.io quels tags a le compte connecté',
  },
  brevoLabels: {
    ...at.brevoLabels,
    ...ofAccount,
    summary: 'Demander à Brevo quelles listes a le compte connecté',
  },
})

export type ListedAutomation = z.output<typeof automation>
