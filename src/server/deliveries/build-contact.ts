import type { PhoneCountry } from '#domain/common/phone-countries.ts'
import { CONTACT_ROLES, type ProviderName } from '#domain/common/vocabulary.ts'
import {
  type AutomationInput,
  type AutomationRule,
  automationInputOf,
  type Label,
  tagsOf,
} from '#domain/deliveries/automations.ts'
import {
  type MappedRun,
  type MappedValue,
  mappedValues,
} from '#domain/deliveries/field-mappings.ts'
import { hasTags } from '#domain/deliveries/integrations.ts'
import { type ParameterValues, sortParameters } from '#domain/questionnaire/parameters.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { type ContactData, NO_CONTACT } from '#domain/run/contact/contact.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { type DimensionPercents, readDimensions } from '#domain/run/stored-dimensions.ts'
import { type StoredReplies, unpackReplies } from '#domain/run/stored-replies.ts'
import type { Contact, FieldValue } from '#server/integrations/providers/provider.ts'
import type { ParameterFields } from '#server/integrations/providers/provision-fields.ts'
import type { TargetMapping } from '#server/quizzes/field-mappings.store.ts'

/** Data of a participant that a contact needs in addition to the result. */
export type ParticipantData = AutomationInput &
  Omit<MappedRun, 'result_name'> & {
    contact: ContactData
    parameters: ParameterValues | null
    /** Newer runs of the person that replace this one. Their values are not overwritten. */
    newer_runs?: readonly NewerRun[]
  }

/** Newer run of the same person, as far as it decides which fields an older run may still fill. */
export type NewerRun = MappedRun & Pick<ParticipantData, 'contact'>

type StoredRun = StoredReplies & {
  result_position: number | null
  score: number | null
  dimension_percents: DimensionPercents | null
}

/** Returns the replies of a stored participant, and what decides on labels, by the version that they took. */
export const runDataOf = (
  snapshot: Pick<Snapshot, 'questions' | 'results' | 'dimensions'>,
  stored: StoredRun,
): Omit<ParticipantData, 'contact' | 'parameters' | 'newer_runs'> => {
  const replies = unpackReplies(snapshot, stored)
  const visited = visitedQuestions(snapshot.questions, replies)
  const dimensions = readDimensions(snapshot, stored.dimension_percents)
  return {
    ...automationInputOf(snapshot, stored),
    replies,
    visited,
    dimensions,
    score: stored.score,
  }
}

/** Fields and rules with which a quiz writes its results at a tool. */
export type Target = {
  field_key: string | null
  tag_by_result: boolean
  /** True if parameters also go into fields. `parameter_fields` holds the fields of the parameters sent before. */
  sends_parameters: boolean
  parameter_fields: ParameterFields
  /** True if the existence of the field has not been checked for a day. */
  is_stale: boolean
  /** Rules that give participants labels. */
  rules: readonly AutomationRule[]
  /** Fields that receive replies, the score or the result. */
  mappings: readonly TargetMapping[]
  /** Country of the account, with which phone numbers without a country code are read. */
  country: PhoneCountry
}

/** Delivery as far as its contact depends on it. */
export type ContactDelivery = {
  provider: ProviderName
  email: string
  result_name: string | null
  is_replaced: boolean
  /** Label of a trial contact. */
  label?: Label | undefined
}

/** Data of a trial contact, who answered no question. */
const TRIAL_CONTACT_DATA: ParticipantData = {
  result_id: null,
  answer_ids: new Set(),
  tier_ids: new Set(),
  contact: NO_CONTACT,
  parameters: null,
  visited: [],
  replies: {},
  score: null,
  dimensions: [],
}

/** Name of the field of the result in the ledger. */
const RESULT_FIELD = 'Résultat'

/** Returns the mapped fields that receive a value. A replaced delivery fills only fields without a newer value. */
const mappedValuesOf = (
  { result_name, is_replaced }: Pick<ContactDelivery, 'result_name' | 'is_replaced'>,
  { mappings }: Pick<Target, 'mappings'>,
  { newer_runs, ...data } = TRIAL_CONTACT_DATA,
): MappedValue<TargetMapping>[] => {
  const values = mappedValues(mappings, { ...data, result_name })
  if (!newer_runs) return is_replaced ? [] : values
  const newer = new Set(
    newer_runs.flatMap((run) => mappedValues(mappings, run).map(({ mapping }) => mapping)),
  )
  return values.filter(({ mapping }) => !newer.has(mapping))
}

/** Returns the contact data of a run without the parts that a newer run has. */
const personOf = ({ contact, newer_runs = [] }: ParticipantData): ContactData => {
  const person = { ...contact }
  for (const role of CONTACT_ROLES)
    if (newer_runs.some((run) => run.contact[role] !== null)) person[role] = null
  return person
}

/** Returns the mapped fields with a value and a known field at the tool. */
const mappedFieldsOf = (
  sent: ContactDelivery,
  target: Pick<Target, 'mappings'>,
  data: ParticipantData,
): FieldValue[] =>
  mappedValuesOf(sent, target, data).flatMap(({ mapping, value }) => {
    const { field_key: key, field_name: name, refused_code } = mapping
    const isSent = key !== null && refused_code === null && value !== null
    return isSent ? [{ key, name, value, can_recreate: true as const }] : []
  })

/**
 * Returns the contact to send to the tool. A replaced delivery has no result and no labels, because those of the newer
 * response already apply. Its values are those that no newer response has, as if both had been sent in order.
 */
export const buildContact = (
  sent: ContactDelivery,
  target: Omit<Target, 'is_stale'>,
  data = TRIAL_CONTACT_DATA,
): Contact => {
  const { provider, email, result_name, is_replaced, label } = sent
  const { field_key, tag_by_result, rules, sends_parameters, parameter_fields } = target
  const person = personOf(data)
  const mapped = mappedFieldsOf(sent, target, data)
  const { country } = target
  if (is_replaced) return { email, person, country, fields: mapped, labels: [] }
  const parameters = Object.entries(sends_parameters ? sortParameters(data.parameters) : {})
  const can_recreate = true as const
  const fields: FieldValue[] = [
    ...(result_name !== null && field_key !== null
      ? [
          {
            key: field_key,
            name: RESULT_FIELD,
            value: result_name,
            can_recreate,
            is_result: true as const,
          },
        ]
      : []),
    ...parameters.flatMap(([name, value]) => {
      const key = parameter_fields[name]
      return typeof key === 'string' ? [{ key, name, value, can_recreate }] : []
    }),
    ...mapped,
  ]
  const tag = tag_by_result && hasTags(provider) ? result_name : null
  return {
    email,
    person,
    country,
    fields,
    labels: label ? [label] : tagsOf(data, rules, tag),
  }
}

/** Returns the names of the parameters to send; empty for a replaced delivery. */
export const parameterNamesOf = (
  { is_replaced }: ContactDelivery,
  { sends_parameters }: Target,
  data: ParticipantData | undefined,
): string[] =>
  sends_parameters && !is_replaced ? Object.keys(sortParameters(data?.parameters ?? null)) : []

/** Returns the names of the parameters and mapped fields with a value that the tool refuses. */
export const refusedNames = (
  sent: ContactDelivery,
  target: Target,
  data: ParticipantData | undefined,
): string[] => [
  ...parameterNamesOf(sent, target, data).filter((name) => target.parameter_fields[name] === null),
  ...mappedValuesOf(sent, target, data).flatMap(({ mapping, value }) =>
    mapping.refused_code !== null || value === null ? [mapping.field_name] : [],
  ),
]

/** Returns true if a field to write has no known key, or has not been checked for a day. */
export const isFieldMissing = (
  sent: ContactDelivery,
  target: Target,
  data: ParticipantData | undefined,
): boolean => {
  const names = parameterNamesOf(sent, target, data)
  const values = mappedValuesOf(sent, target, data)
  const has_result = sent.result_name !== null
  if (target.is_stale && (has_result || names.length > 0 || values.length > 0)) return true
  return (
    (has_result && target.field_key === null) ||
    names.some((name) => target.parameter_fields[name] === undefined) ||
    values.some(({ mapping }) => mapping.field_key === null && mapping.refused_code === null)
  )
}
