import type { ProviderName } from '#domain/common/vocabulary.ts'
import { type AccountField, isMappable } from '#domain/deliveries/account-fields.ts'
import { parameterFieldOf } from '#domain/deliveries/integrations.ts'
import type {
  AccountFields,
  Failure,
  OpenConnection,
  Permanent,
  Provider,
  ProvisionedField,
  ProvisionedFields,
} from './provider.ts'
import { permanent, unknown } from './provider-requests.ts'

/** Field key at the tool for each parameter; null if the tool refuses the field. */
export type ParameterFields = Readonly<Record<string, string | null>>

/** Field keys of a quiz at a tool. */
export type QuizFields = ProvisionedField & {
  parameter_fields: ParameterFields
  /** Number of calls after the first. */
  extra_calls?: number
}

type FieldsToProvision = {
  field_name: string
  parameters: readonly string[]
  /** Called before a missing field of the result is created. */
  beforeMaking: () => Promise<void>
}

/**
 * Finds or creates the fields of the result and of these parameters. Leaves out a parameter whose field is refused or
 * equals the field of the result. Fails without a field of the result.
 */
export const provisionQuizFields = async (
  provider: Provider,
  connection: OpenConnection,
  { field_name, parameters, beforeMaking }: FieldsToProvision,
): Promise<QuizFields | Failure> => {
  const nameOf = (parameter: string): string => parameterFieldOf(provider.name, parameter)
  const names = [field_name, ...parameters.map(nameOf)]
  const found = await provider.provision(connection, names, async (name) => {
    if (name === field_name) await beforeMaking()
  })
  if (found.kind !== 'fields') return found
  const { fields, kind: _, ...counted } = found
  const result = fields[field_name] ?? unknown('no_field')
  if (result.kind !== 'provisioned') return result
  const keyOf = (parameter: string): string | null => {
    const field = fields[nameOf(parameter)]
    return field?.kind === 'provisioned' && field.field_key !== result.field_key
      ? field.field_key
      : null
  }
  const parameter_fields = Object.fromEntries(parameters.map((name) => [name, keyOf(name)]))
  return { ...result, parameter_fields, ...counted }
}

/** Calls of one tool that list, find and create fields. */
type FieldCalls<Known extends object> = {
  list: () => Promise<Known | Failure>
  /** Finds a field by name; returns a permanent failure for an unusable field. */
  find: (known: Known, name: string) => ProvisionedField | Permanent | undefined
  make: (name: string) => Promise<ProvisionedField | Failure | 'refused'>
}

/**
 * Finds or creates the fields with these names. Returns the keys of the fields and the reasons of refused fields. Any
 * other failure stops the call, which can be repeated.
 */
export const provisionFields = async <Known extends object>(
  names: readonly string[],
  { list, find, make }: FieldCalls<Known>,
): Promise<ProvisionedFields | Failure> => {
  const known = await list()
  if ('kind' in known) return known
  const fields: ProvisionedFields['fields'] = {}
  for (const name of names) {
    let field = find(known, name) ?? (await make(name))
    if (field === 'refused') {
      // The search is repeated because another process may have created the same name.
      const now = await list()
      if ('kind' in now) return now
      field = find(now, name) ?? permanent('result_field_refused')
    }
    if (field.kind !== 'provisioned' && field.kind !== 'permanent') return field
    fields[name] = field
  }
  return { kind: 'fields', fields }
}

/** Finds or creates one field. */
export const provisionField = async (
  provider: Pick<Provider, 'provision'>,
  connection: OpenConnection,
  name: string,
): Promise<ProvisionedField | Failure> => {
  const found = await provider.provision(connection, [name])
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
