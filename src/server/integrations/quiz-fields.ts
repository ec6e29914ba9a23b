import { parameterFieldOf } from '#domain/integrations.ts'
import { unknown } from './providers/failures.ts'
import type { Failure, OpenConnection, Provider, Provisioned } from './providers/provider.ts'

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
