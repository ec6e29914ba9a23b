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
  /** Condition: participants with this result, or with this answer to this question. */
  result_id: uuid.nullable(),
  question_id: uuid.nullable(),
  answer_id: uuid.nullable(),
  /** Name of the tag, or of the list at Brevo. */
  label_name: z.string(),
  /** Id at the tool if the label was picked from the account; null if it is created by name. */
  vendor_id: z.string().nullable(),
  /** French sentence that describes the rule. */
  sentence: z.string(),
  /**
   * True if the draft no longer has the result or answer. The rule still applies to participants of versions that
   * have it.
   */
  is_orphan: z.boolean(),
  created_at: timestamp,
})

/** Calls with these options use the account's secret, so API keys cannot make them. */
const ofAccount = {
  access: 'creator',
  key_scope: 'none',
  /** Labels of the account, at most one minute old; incomplete if the account has very many. */
  answer: z.object({ labels: z.array(z.object({ vendor_id: z.string(), name: z.string() })) }),
} as const

/** Rules that give participants tags or lists by their result or answer. */
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
      /** Either a result, or a question with one of its answers. */
      result_id: uuid.optional(),
      question_id: uuid.optional(),
      answer_id: uuid.optional(),
      label_name: filledText(LIMITS.label_name),
      /** Id of a label of the account. Without it, the label of this name is used, and created if it does not exist. */
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

/** Rule in the list of automations. */
export type ListedAutomation = z.output<typeof automation>
