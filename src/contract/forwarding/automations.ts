import { z } from 'zod'
import { calls } from '#contract/kit/calls.ts'
import { group } from '#contract/kit/endpoint.ts'
import { filledText, timestamp, uuid } from '#contract/kit/fields.ts'
import { LIMITS, PROVIDERS } from '#domain/common/vocabulary.ts'
import { KINDS_OF_TOOL, LABEL_KINDS } from '#domain/deliveries/enrolment-kinds.ts'

const { automations: automationCalls } = calls
const provider = z.enum(PROVIDERS)

const automation = z.object({
  id: uuid,
  provider,
  /** Condition: participants with this result, with this answer to this question, or with this tier of this dimension. */
  result_id: uuid.nullable(),
  question_id: uuid.nullable(),
  answer_id: uuid.nullable(),
  dimension_id: uuid.nullable(),
  tier_id: uuid.nullable(),
  /** Name of the tag, list, course, community, sequence or form. */
  label_name: z.string(),
  /** Null: tag, or list at Brevo. */
  label_kind: z.enum(LABEL_KINDS).nullable(),
  /**
   * Id at the tool if the label was picked from the account. Null: a tag or list that is created by name. Also null for
   * another kind that has to be picked again, because the connected account was replaced.
   */
  vendor_id: z.string().nullable(),
  /** French sentence that describes the rule. */
  sentence: z.string(),
  /**
   * True if the draft no longer has the result, answer or tier. The rule still applies to participants of versions that
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

/** Rules that give participants labels of a tool by their result, answer or tier of a dimension. */
export const automations = group({
  list: {
    ...automationCalls.list,
    access: 'quiz_owner',
    answer: z.object({ automations: z.array(automation) }),
    summary:
      'Les automatisations d’un quiz : quel tag, quelle liste ou quelle inscription pour quel résultat, quelle réponse ou quel palier',
  },
  add: {
    ...automationCalls.add,
    access: 'quiz_owner',
    creates: true,
    body: z.object({
      provider,
      /** A result, or a question with one of its answers, or a dimension with one of its tiers. */
      result_id: uuid.optional(),
      question_id: uuid.optional(),
      answer_id: uuid.optional(),
      dimension_id: uuid.optional(),
      tier_id: uuid.optional(),
      label_name: filledText(LIMITS.label_name),
      /** Absent: tag, or list at Brevo. Systeme.io has courses and communities, Kit has sequences and forms. */
      label_kind: z.enum(LABEL_KINDS).optional(),
      /**
       * Id of a label of the account, required for a kind. Without it, the tag or list of this name is used, and created
       * if it does not exist.
       */
      vendor_id: z
        .string()
        .regex(/^\d{1,20}$/)
        .optional(),
    }),
    answer: z.object({ automation }),
    summary: 'Ajouter une automatisation, qui vaut dès le prochain envoi',
  },
  remove: {
    ...automationCalls.remove,
    access: 'quiz_owner',
    summary: 'Supprimer une automatisation ; ce qui a déjà été ajouté reste',
  },
  kitLabels: {
    ...automationCalls.kitLabels,
    ...ofAccount,
    query: z.object({ kind: z.enum(KINDS_OF_TOOL.convertkit).optional() }),
    summary: 'Demander à Kit quels tags, séquences ou formulaires a le compte connecté',
  },
  systemioLabels: {
    ...automationCalls.systemioLabels,
    ...ofAccount,
    query: z.object({ kind: z.enum(KINDS_OF_TOOL.systemio).optional() }),
    summary: 'Demander à Systeme.io quels tags, cours ou communautés a le compte connecté',
  },
  brevoLabels: {
    ...automationCalls.brevoLabels,
    ...ofAccount,
    summary: 'Demander à Brevo quelles listes a le compte connecté',
  },
})

/** Rule in the list of automations. */
export type ListedAutomation = z.output<typeof automation>
