import { CONTACT_ROLES, type ContactRole, type ProviderName } from '#domain/common/vocabulary.ts'

/** Types of the fields of an account at an email tool. */
export const FIELD_TYPES = ['text', 'number', 'date', 'boolean', 'list'] as const
/** Type of a field of an account at an email tool. */
export type FieldType = (typeof FIELD_TYPES)[number]

/** Field of an account at an email tool, to which a mapping can write. */
export type AccountField = {
  /** Key of the field in the calls to the tool. */
  key: string
  /** Name of the field, as the creator sees it at the tool. */
  name: string
  type: FieldType
}

/**
 * Fields of each tool that receive contact data, in order of preference. Brevo's attributes have French or English
 * names, which depends on the language of the account. Kit has no field for the last name and the phone number.
 */
export const NATIVE_FIELDS: Record<ProviderName, Record<ContactRole, readonly string[]>> = {
  convertkit: { first_name: ['first_name'], last_name: [], phone: [] },
  systemio: { first_name: ['first_name'], last_name: ['surname'], phone: ['phone_number'] },
  brevo: { first_name: ['PRENOM', 'FIRSTNAME'], last_name: ['NOM', 'LASTNAME'], phone: ['SMS'] },
}

/** Returns the parts of the contact data that a tool has no field for. */
export const rolesWithoutField = (provider: ProviderName): ContactRole[] =>
  CONTACT_ROLES.filter((role) => NATIVE_FIELDS[provider][role].length === 0)

/**
 * Other fields that a mapping must not write. These fields identify the contact, record a consent or accept only codes
 * such as FR.
 */
const RESERVED_FIELDS: Record<ProviderName, readonly string[]> = {
  convertkit: ['email_address'],
  systemio: ['email', 'country'],
  brevo: ['EMAIL', 'EXT_ID', 'WHATSAPP', 'LANDLINE_NUMBER', 'OPT_IN', 'DOUBLE_OPT-IN'],
}

/** Returns true if a mapping can write to the field with this key. Contact data has fields of its own. */
export const isMappable = (provider: ProviderName, key: string): boolean =>
  !RESERVED_FIELDS[provider].includes(key) &&
  CONTACT_ROLES.every((role) => !NATIVE_FIELDS[provider][role].includes(key))
