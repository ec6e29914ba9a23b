import { z } from 'zod'
import { calls } from '#contract/kit/calls.ts'
import { group } from '#contract/kit/endpoint.ts'
import { filledText, text, timestamp, uuid } from '#contract/kit/fields.ts'
import { replacedFields } from '#contract/kit/replaced-fields.ts'
import { LIMITS, PROVIDERS } from '#domain/common/vocabulary.ts'
import { FIELD_TYPES } from '#domain/deliveries/account-fields.ts'
import { MAPPED_TYPES, MAPPING_SOURCES } from '#domain/deliveries/field-mappings.ts'

const { fieldMappings: fieldMappingCalls } = calls
const provider = z.enum(PROVIDERS)
const source = z.enum(MAPPING_SOURCES)

const mapping = z.object({
  id: uuid,
  provider,
  source,
  /** Question whose reply is sent; null for the other sources. */
  question_id: uuid.nullable(),
  /** Dimension whose percent is sent; null for the other sources. */
  dimension_id: uuid.nullable(),
  /** French name of the value: the question, the total score, the result or the dimension. */
  source_label: z.string(),
  /** Name of the field, as the tool shows it. */
  field_name: z.string(),
  /** True once the field was found or created at the tool. */
  is_found: z.boolean(),
  field_type: z.enum(MAPPED_TYPES),
  /** True if the draft no longer has the question or the dimension. */
  is_orphan: z.boolean(),
  /** French sentence about a deleted question or dimension, or a refused field; null if there is nothing to say. */
  message: z.string().nullable(),
  created_at: timestamp,
})

const sampleField = z.object({
  /** Name of the field, as the tool shows it. */
  name: z.string(),
  /** Value for the sample participant; null if the field stays as it is. */
  value: z.string().nullable(),
  origin: z.enum(['email', 'role', 'result', 'parameter', 'mapping']),
  /** Mapping that fills the field; null for the other origins. */
  mapping_id: uuid.nullable(),
})

const tool = z.object({
  provider,
  is_connected: z.boolean(),
  /** True if the quiz forwards to the tool. */
  is_enabled: z.boolean(),
  /** Contact of a sample participant, as the tool will show it. */
  sample: z.array(sampleField),
  /** Fields that no mapping can use, with the French reason. */
  used_fields: z.array(z.object({ name: z.string(), reason: z.string() })),
})

/** Calls with these options use the account's secret, so API keys cannot make them. */
const ofAccount = {
  access: 'creator',
  key_scope: 'none',
  /** Fields of the account, at most one minute old; incomplete if the account has very many. */
  answer: z.object({
    fields: z.array(
      z.object({
        field_key: z.string(),
        name: z.string(),
        /** Fields of the types 'boolean' and 'list' cannot receive a value. */
        type: z.enum(FIELD_TYPES),
      }),
    ),
  }),
} as const

/** Value that a field receives: a question or a dimension needs its id. */
const sourceBody = { source, question_id: uuid.optional(), dimension_id: uuid.optional() }

/** Field that receives the value: one of them is needed, unless a mapping keeps its field. */
const fieldBody = {
  /** Name of a field that is created if the account has none with this name. */
  field_name: filledText(LIMITS.integration_field).optional(),
  /** Key of a field of the account, in place of the name. */
  field_key: filledText(LIMITS.integration_field).optional(),
}

/** Fields of email tools that receive replies, the score or the result, in addition to the field of the result. */
export const fieldMappings = group({
  list: {
    ...fieldMappingCalls.list,
    access: 'quiz_owner',
    answer: z.object({ mappings: z.array(mapping), tools: z.array(tool) }),
    summary:
      'Les champs remplis dans les outils d’un quiz, avec un exemple de contact pour chaque outil',
  },
  add: {
    ...fieldMappingCalls.add,
    access: 'quiz_owner',
    creates: true,
    body: z.object({ provider, ...sourceBody, ...fieldBody }),
    answer: z.object({ mapping }),
    summary:
      'Remplir un champ avec une réponse, le score, le résultat ou une dimension dès le prochain envoi',
  },
  update: {
    ...fieldMappingCalls.update,
    access: 'quiz_owner',
    body: z.object({
      ...sourceBody,
      /** The mapping keeps its value without a source. */
      source: source.optional(),
      ...fieldBody,
      ...replacedFields({
        source,
        question_id: uuid.nullable(),
        dimension_id: uuid.nullable(),
        field_name: text(LIMITS.integration_field),
      }),
    }),
    answer: z.object({ mapping }),
    summary:
      'Changer la valeur d’un champ, ou le champ lui-même ; les valeurs déjà envoyées restent',
  },
  remove: {
    ...fieldMappingCalls.remove,
    access: 'quiz_owner',
    summary: 'Ne plus remplir un champ ; le champ et ses valeurs restent dans l’outil',
  },
  kitFields: {
    ...fieldMappingCalls.kitFields,
    ...ofAccount,
    summary: 'Demander à Kit quels champs a le compte connecté',
  },
  systemioFields: {
    ...fieldMappingCalls.systemioFields,
    ...ofAccount,
    summary: 'Demander à Systeme.io quels champs a le compte connecté',
  },
  brevoFields: {
    ...fieldMappingCalls.brevoFields,
    ...ofAccount,
    summary: 'Demander à Brevo quels attributs a le compte connecté',
  },
})

/** Mapping in the list of a quiz. */
export type ListedMapping = z.output<typeof mapping>
/** Tool in the list of a quiz, with its sample contact. */
export type MappedTool = z.output<typeof tool>
