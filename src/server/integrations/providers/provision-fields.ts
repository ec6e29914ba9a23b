import { permanent, unknown } from './failures.ts'
import type {
  Failure,
  OpenConnection,
  Permanent,
  Provider,
  Provisioned,
  ProvisionedFields,
} from './provider.ts'

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
