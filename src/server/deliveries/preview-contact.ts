import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { MeasureAnswer } from '#domain/deliveries/field-mappings.ts'
import { fieldNameOf, parameterFieldOf } from '#domain/deliveries/integrations.ts'
import { type ParameterValues, sortParameters } from '#domain/questionnaire/parameters.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import type { ContactData } from '#domain/run/contact/contact.ts'
import type { DimensionPercents } from '#domain/run/stored-dimensions.ts'
import type { StoredReplies } from '#domain/run/stored-replies.ts'
import type { Contact } from '#server/integrations/providers/provider.ts'
import { buildContact, runDataOf, type Target } from './build-contact.ts'

/** Participant of a preview. */
type PreviewedRun = {
  snapshot: Snapshot
  response: StoredReplies &
    ContactData & {
      email: string | null
      result_position: number | null
      score: number | null
      dimension_percents: DimensionPercents | null
      parameters: ParameterValues | null
    }
  field_names: Parameters<typeof fieldNameOf>[1]
  /** Address of the page of the participant; null or absent without a page. */
  result_url?: string | null
  measure?: MeasureAnswer | null
}

/** Contact of a preview, with the names of the fields that the tool lacks. */
type PreviewedContact = {
  contact: Contact
  /** Name of each field at the tool, by key. */
  field_names: ReadonlyMap<string, string>
  missing_fields: string[]
}

/**
 * Returns the contact that a delivery of this participant would send to a tool. A field that is not found or created
 * yet has its name as its key.
 */
export const previewContact = (
  target: Target,
  { snapshot, response, field_names, result_url = null, measure = null }: PreviewedRun,
  provider: ProviderName,
): PreviewedContact => {
  const field_name = fieldNameOf(provider, field_names)
  const result_name = snapshot.results[response.result_position ?? -1]?.name ?? null
  const parameters = target.sends_parameters ? sortParameters(response.parameters) : {}
  const unknown_parameters = Object.keys(parameters).filter(
    (name) => target.parameter_fields[name] === undefined,
  )
  const fieldOf = (name: string): string => parameterFieldOf(provider, name)
  const parameter_fields = {
    ...target.parameter_fields,
    ...Object.fromEntries(unknown_parameters.map((name) => [name, fieldOf(name)])),
  }
  const field_key = target.field_key ?? field_name
  const mappings = target.mappings.map((mapping) => ({
    ...mapping,
    field_key: mapping.field_key ?? mapping.field_name,
  }))
  const run = runDataOf(snapshot, response)
  const contact = buildContact(
    { provider, email: response.email ?? '', result_name, is_replaced: false },
    { ...target, field_key, parameter_fields, mappings },
    { ...run, contact: response, parameters, result_url, measure },
  )
  const written = new Set(contact.fields.map(({ key }) => key))
  return {
    contact,
    field_names: new Map([
      ...mappings.map((mapping) => [mapping.field_key, mapping.field_name] as const),
      ...Object.entries(parameter_fields).flatMap(([name, key]) =>
        key === null ? [] : [[key, fieldOf(name)] as const],
      ),
      [field_key, field_name] as const,
    ]),
    missing_fields: [
      ...(target.field_key === null && result_name !== null ? [field_name] : []),
      ...unknown_parameters.map(fieldOf),
      ...target.mappings
        .filter((mapping) => mapping.field_key === null && written.has(mapping.field_name))
        .map((mapping) => mapping.field_name),
    ],
  }
}
