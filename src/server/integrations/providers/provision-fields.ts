import { parameterFieldOf } from '#domain/deliveries/integrations.ts'
import type {
  Failure,
  OpenConnection,
  Permanent,
  Provider,
  Provisioned,
  ProvisionedFields,
} from './provider.ts'
import { permanent, unknown } from './provider-requests.ts'

/** How a tool calls the field of each parameter; null where it does not accept one. */
export type ParameterFields = Readonly<Record<string, string | null>>

/** What the fields of a quiz are called at a tool. */
export type QuizFields = Provisioned & {
  parameter_fields: ParameterFields
  /** Calls that it took beyond the first. */
  extra_calls?: number
}

type Wanted = {
  field_name: string
  parameters: readonly string[]
  /** Called where the field of the result is not there, before it is made. */
  beforeMaking: () => Promise<void>
}

/**
 * Finds or makes the field for the result and those of these parameters. A parameter whose field is refused, or is the
 * result's own, is left out; without the field of the result there is none.
 */
export const provisionQuizFields = async (
  provider: Provider,
  connection: OpenConnection,
  { field_name, parameters, beforeMaking }: Wanted,
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

/** How one tool lists its fields, finds one of a name among them, and makes one. */
type FieldCalls<Known extends object> = {
  list: () => Promise<Known | Failure>
  /** Permanent of a field that cannot be used. */
  find: (known: Known, name: string) => Provisioned | Permanent | undefined
  make: (name: string) => Promise<Provisioned | Failure | 'refused'>
}

/**
 * Finds the fields of these names, and makes those that are not there; repeatable. A field that the tool does not accept
 * is told as such beside the others; any other failure ends it, and a repeat finds what was made.
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
      // Another process may have made it in between.
      const now = await list()
      if ('kind' in now) return now
      field = find(now, name) ?? permanent('field_refused')
    }
    if (field.kind !== 'provisioned' && field.kind !== 'permanent') return field
    fields[name] = field
  }
  return { kind: 'fields', fields }
}

/** Finds or makes one field. */
export const provisionField = async (
  provider: Pick<Provider, 'provision'>,
  connection: OpenConnection,
  name: string,
): Promise<Provisioned | Failure> => {
  const found = await provider.provision(connection, [name])
  return found.kind === 'fields' ? (found.fields[name] ?? unknown('no_field')) : found
}
