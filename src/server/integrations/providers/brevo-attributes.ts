import { type FieldType, NATIVE_FIELDS } from '#domain/deliveries/account-fields.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import type { NativeKeys } from './contact-fields.ts'
import type {
  AccountFields,
  Failure,
  OpenConnection,
  Permanent,
  ProvisionedField,
} from './provider.ts'
import { type CallProvider, listField, permanent, textField, unknown } from './provider-requests.ts'
import { mappableFields } from './provision-fields.ts'

/** Attributes of an account by name. */
export type Attributes = Map<string, unknown>

/** Types of attributes of the category `normal` (developers.brevo.com/reference/get-attributes). */
const ATTRIBUTE_TYPES: Record<string, FieldType> = {
  text: 'text',
  float: 'number',
  date: 'date',
  boolean: 'boolean',
  'multiple-choice': 'list',
}

/** Returns the type of an attribute; undefined if contacts cannot be given a value, such as a calculated one. */
const attributeType = (attribute: unknown): FieldType | undefined => {
  const category = textField(attribute, 'category')
  if (category === 'category') return 'list'
  return category === 'normal' ? ATTRIBUTE_TYPES[textField(attribute, 'type') ?? ''] : undefined
}

/** Returns the attributes of the account by name. */
export const listAttributes = async (
  ask: CallProvider,
): Promise<Map<string, unknown> | Failure> => {
  const reply = await ask({ method: 'GET', path: '/contacts/attributes' })
  if (reply.kind !== 'reply') return reply
  const attributes = listField(reply.json, 'attributes')
  if (reply.status !== 200 || !attributes) return unknown('no_attributes')
  return new Map(
    attributes.map((attribute) => [textField(attribute, 'name')?.toUpperCase() ?? '', attribute]),
  )
}

/** Creates a text attribute. */
export const makeAttribute = async (
  ask: CallProvider,
  name: string,
): Promise<ProvisionedField | Failure | 'refused'> => {
  const path = `/contacts/attributes/normal/${encodeURIComponent(name)}`
  const made = await ask({ method: 'POST', path, json: { type: 'text' } })
  if (made.kind !== 'reply') return made
  return made.status < 300 ? { kind: 'provisioned', field_key: name, is_new: true } : 'refused'
}

/**
 * Returns the attribute with this name and its type. Returns undefined if the attribute is missing, and a failure if
 * contacts cannot be given a value.
 */
export const findWritableAttribute = (
  attributes: Attributes,
  attribute_name: string,
): ProvisionedField | Permanent | undefined => {
  const name = attribute_name.toUpperCase()
  const attribute = attributes.get(name)
  if (attribute === undefined) return undefined
  const type = attributeType(attribute)
  if (type === undefined) return permanent('field_of_another_type')
  return { kind: 'provisioned', field_key: name, ...(type !== 'text' && { type }) }
}

/** Returns the fields of an account to which a mapping can write. Creators see the names in capitals. */
export const fieldsOf = (attributes: Attributes): AccountFields => {
  const fields = [...attributes].flatMap(([key, attribute]) => {
    const type = attributeType(attribute)
    return type ? [{ key, name: key, type }] : []
  })
  return mappableFields('brevo', fields)
}

/** Returns the attributes of the account that receive the contact data. Every account has the attribute SMS. */
export const nativeKeysOf = (attributes: Attributes): NativeKeys => {
  const { first_name, last_name } = NATIVE_FIELDS.brevo
  const find = (names: readonly string[]): string | null =>
    names.find((name) => attributes.has(name)) ?? null
  return { first_name: find(first_name), last_name: find(last_name), phone: 'SMS' }
}

/** Maximum number of accounts whose attributes are cached. */
const MAX_CACHED_ACCOUNTS = 1_000
/** Milliseconds after which the attributes are listed again. */
const CACHED_FOR_MS = 3_600_000
/** Milliseconds after which a missing attribute is looked up again, because the creator may have created it. */
const MISSING_FOR_MS = 60_000

/** Cached attributes of the accounts. */
export type AttributeCache = {
  /** Returns the attributes. Lists them again if `missingIn` names an attribute that was not missing before. */
  find: (
    ask: CallProvider,
    connection: OpenConnection,
    missingIn: (attributes: Attributes) => readonly string[],
  ) => Promise<Attributes | Failure>
  /** Lists the attributes and caches them. */
  list: (ask: CallProvider, connection: OpenConnection) => Promise<Attributes | Failure>
  forget: (connection: OpenConnection) => void
  /** Returns a cache that answers with the attributes cached so far, or with French names, and makes no call. */
  offline: () => AttributeCache
}

/** Attributes of contact data in an account that was not read, which most likely has French names. */
const FRENCH_ATTRIBUTES: Attributes = new Map(
  Object.values(NATIVE_FIELDS.brevo).map(([name = '']) => [name, undefined]),
)

type CachedAttributes = { attributes: Attributes; at: number; missing: readonly string[] }

/** Creates a cache of attributes by account, because deliveries need their names and types. */
export const createAttributeCache = (now = () => performance.now()): AttributeCache => {
  const cache = createLruCache<CachedAttributes>(MAX_CACHED_ACCOUNTS)
  const keyOf = ({ id, vendor_account_id }: OpenConnection): string => `${id} ${vendor_account_id}`
  const isUsable = (known: CachedAttributes, missing: readonly string[]): boolean => {
    const age = now() - known.at
    if (missing.length === 0) return age < CACHED_FOR_MS
    return age < MISSING_FOR_MS && missing.every((name) => known.missing.includes(name))
  }
  const list: AttributeCache['list'] = async (ask, connection) => {
    const attributes = await listAttributes(ask)
    if (attributes instanceof Map)
      cache.set(keyOf(connection), { attributes, at: now(), missing: [] })
    return attributes
  }
  const createOffline = (): AttributeCache => {
    const read = async (connection: OpenConnection): Promise<Attributes> =>
      cache.peek(keyOf(connection))?.attributes ?? FRENCH_ATTRIBUTES
    return {
      list: (_ask, connection) => read(connection),
      find: (_ask, connection) => read(connection),
      forget: () => undefined,
      offline: createOffline,
    }
  }
  return {
    offline: createOffline,
    list,
    find: async (ask, connection, missingIn) => {
      const known = cache.get(keyOf(connection))
      if (known && isUsable(known, missingIn(known.attributes))) return known.attributes
      const attributes = await list(ask, connection)
      if (attributes instanceof Map)
        cache.set(keyOf(connection), { attributes, at: now(), missing: missingIn(attributes) })
      return attributes
    },
    forget: (connection) => {
      cache.delete(keyOf(connection))
    },
  }
}
