import type { ProviderName } from '#domain/common/vocabulary.ts'
import { type AccountField, isMappable } from '#domain/deliveries/account-fields.ts'
import { MAPPED_TYPES } from '#domain/deliveries/field-mappings.ts'
import { parameterFieldOf } from '#domain/deliveries/integrations.ts'
import type { TargetMapping } from '#server/quizzes/field-mappings.store.ts'
import type {
  AccountFields,
  Failure,
  FieldRequest,
  OpenConnection,
  Permanent,
  Provider,
  ProvisionedField,
  ProvisionedFields,
} from './provider.ts'
import { permanent, unknown } from './provider-requests.ts'

/** Field key at the tool for each parameter; null if the tool refuses the field. */
export type ParameterFields = Readonly<Record<string, string | null>>

/** Field keys of a quiz at a tool, as the tool has them now. */
export type QuizFields = {
  kind: 'provisioned'
  /** Field of the result; null if it was neither requested nor found. */
  field_key: string | null
  parameter_fields: ParameterFields
  mappings: readonly TargetMapping[]
  /** Names of created fields of the result and of mappings, whose values sent before are lost. */
  new_fields: readonly string[]
  /** Number of calls after the first. */
  extra_calls?: number
}

/** Fields that a quiz needs at a tool. */
export type FieldsToProvision = {
  /** Name of the field of the result; null if no field of the result is needed. */
  field_name: string | null
  /** True if nothing can be sent without the field of the result. */
  needs_result: boolean
  parameters: readonly string[]
  mappings: readonly TargetMapping[]
  /** Called before a missing field of the result or of a mapping is created. */
  beforeMaking: (name: string) => Promise<void>
}

/**
 * Finds or creates the fields of the result, of these parameters and of these mappings. Leaves out a field that is
 * refused or receives another value already. Fails if the field of the result is needed and refused.
 */
export const provisionQuizFields = async (
  provider: Provider,
  connection: OpenConnection,
  { field_name, needs_result, parameters, mappings, beforeMaking }: FieldsToProvision,
): Promise<QuizFields | Failure> => {
  const nameOf = (parameter: string): string => parameterFieldOf(provider.name, parameter)
  const parameterNames = new Set(parameters.map(nameOf))
  const requests: FieldRequest[] = [
    ...(field_name === null ? [] : [{ name: field_name }]),
    ...[...parameterNames].map((name) => ({ name })),
    ...mappings.map((mapping) => ({
      name: mapping.field_name,
      key: mapping.field_key,
      types: MAPPED_TYPES,
    })),
  ]
  const found = await provider.provision(connection, requests, async (name) => {
    if (!parameterNames.has(name)) await beforeMaking(name)
  })
  if (found.kind !== 'fields') return found
  const { fields, kind: _, ...counted } = found
  const result = field_name === null ? null : (fields[field_name] ?? unknown('no_field'))
  if (result !== null && result.kind !== 'provisioned' && needs_result) return result
  const used = new Set<string>()
  /** Returns the field with this name, or the reason why it cannot be used. */
  const take = (name: string): ProvisionedField | Permanent => {
    const field = fields[name] ?? permanent('result_field_refused')
    if (field.kind !== 'provisioned') return field
    if (used.has(field.field_key)) return permanent('field_used')
    used.add(field.field_key)
    return field
  }
  const own = field_name === null ? null : take(field_name)
  const parameter_fields = Object.fromEntries(
    parameters.map((parameter) => {
      const field = take(nameOf(parameter))
      return [parameter, field.kind === 'provisioned' ? field.field_key : null]
    }),
  )
  const new_fields = [field_name ?? '', ...mappings.map((mapping) => mapping.field_name)].filter(
    (name) => {
      const field = fields[name]
      return field?.kind === 'provisioned' && field.is_new
    },
  )
  return {
    kind: 'provisioned',
    new_fields,
    field_key: own?.kind === 'provisioned' ? own.field_key : null,
    parameter_fields,
    mappings: mappings.map((mapping) => ({
      ...mapping,
      ...mappedFieldOf(take(mapping.field_name)),
    })),
    ...counted,
  }
}

/** Returns the new state of a mapped field. A refused field keeps its key, by which it is looked for later. */
const mappedFieldOf = (
  field: ProvisionedField | Permanent,
): Partial<Pick<TargetMapping, 'field_key' | 'field_type' | 'refused_code'>> => {
  if (field.kind !== 'provisioned') return { refused_code: field.code }
  const field_type = MAPPED_TYPES.find((type) => type === field.type) ?? 'text'
  return { field_key: field.field_key, field_type, refused_code: null }
}

/** Calls of one tool that list, find and create fields. */
type FieldCalls<Known extends object> = {
  list: () => Promise<Known | Failure>
  /** Finds a field by name; returns a permanent failure for an unusable field. */
  find: (known: Known, name: string) => ProvisionedField | Permanent | undefined
  make: (name: string) => Promise<ProvisionedField | Failure | 'refused'>
}

/**
 * Finds or creates these fields. Returns the keys of the fields and the reasons of refused fields. Any
 * other failure stops the call, which can be repeated.
 */
export const provisionFields = async <Known extends object>(
  requests: readonly FieldRequest[],
  { list, find, make }: FieldCalls<Known>,
): Promise<ProvisionedFields | Failure> => {
  const known = await list()
  if ('kind' in known) return known
  const fields: ProvisionedFields['fields'] = {}
  for (const { name, key, types = ['text'] } of requests) {
    // A known key finds the field that the creator picked, also if another field has its name.
    const picked = key ? find(known, key) : undefined
    let field = picked ?? find(known, name) ?? (await make(name))
    if (field === 'refused') {
      // The search is repeated because another process may have created the same name.
      const now = await list()
      if ('kind' in now) return now
      field = find(now, name) ?? permanent('result_field_refused')
    }
    if (field.kind !== 'provisioned' && field.kind !== 'permanent') return field
    const isFit = field.kind !== 'provisioned' || types.includes(field.type ?? 'text')
    fields[name] = isFit ? field : permanent('field_of_another_type')
  }
  return { kind: 'fields', fields }
}

/** Finds or creates one field. */
export const provisionField = async (
  provider: Pick<Provider, 'provision'>,
  connection: OpenConnection,
  name: string,
): Promise<ProvisionedField | Failure> => {
  const found = await provider.provision(connection, [{ name }])
  return found.kind === 'fields' ? (found.fields[name] ?? unknown('no_field')) : found
}

/** Returns the fields to which a mapping can write. */
export const mappableFields = (
  provider: ProviderName,
  fields: readonly AccountField[],
): AccountFields => ({
  kind: 'account_fields',
  fields: fields.filter(({ key }) => key !== '' && isMappable(provider, key)),
})
