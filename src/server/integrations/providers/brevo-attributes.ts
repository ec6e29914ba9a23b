import type { FieldType } from '#domain/deliveries/account-fields.ts'
import type { AccountFields, Failure, Permanent, ProvisionedField } from './provider.ts'
import { type CallProvider, listField, permanent, textField, unknown } from './provider-requests.ts'
import { mappableFields } from './provision-fields.ts'

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
  return new Map(attributes.map((one) => [textField(one, 'name')?.toUpperCase() ?? '', one]))
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
export const usable = (
  attributes: Map<string, unknown>,
  asked: string,
): ProvisionedField | Permanent | undefined => {
  const name = asked.toUpperCase()
  const attribute = attributes.get(name)
  if (attribute === undefined) return undefined
  const type = attributeType(attribute)
  if (type === undefined) return permanent('field_of_another_type')
  return { kind: 'provisioned', field_key: name, ...(type !== 'text' && { type }) }
}

/** Returns the fields of an account to which a mapping can write. Creators see the names in capitals. */
export const fieldsOf = (attributes: ReadonlyMap<string, unknown>): AccountFields => {
  const fields = [...attributes].flatMap(([key, attribute]) => {
    const type = attributeType(attribute)
    return type ? [{ key, name: key, type }] : []
  })
  return mappableFields('brevo', fields)
}
