import type { PhoneCountry } from '#domain/common/phone-countries.ts'
import { CONTACT_ROLES, type ContactRole, type ProviderName } from '#domain/common/vocabulary.ts'
import { NATIVE_FIELDS } from '#domain/deliveries/account-fields.ts'
import { CONTACT_ROLE_LABELS } from '#domain/questionnaire/contact-roles.ts'
import { internationalPhone } from './phone-numbers.ts'
import type { Contact, FieldValue } from './provider.ts'

/** Field of a contact, also a native field of the tool. */
export type OutboundField = FieldValue & {
  /** Part of the contact data, for a native field of the tool. */
  role?: ContactRole
}

/** Keys of the native fields in an account; null for a part that the account has no field for. */
export type NativeKeys = Record<ContactRole, string | null>

/** Returns the native fields of a tool, with the first of several possible names. */
const defaultKeys = (provider: ProviderName): NativeKeys => {
  const { first_name, last_name, phone } = NATIVE_FIELDS[provider]
  return {
    first_name: first_name[0] ?? null,
    last_name: last_name[0] ?? null,
    phone: phone[0] ?? null,
  }
}

/** Returns a part of the contact data in the form of the tool. Null for a phone number that Brevo would refuse. */
const partOf = (
  { provider, country }: { provider: ProviderName; country: PhoneCountry },
  role: ContactRole,
  typed: string,
): string | null => {
  if (role !== 'phone') return typed
  return internationalPhone(typed, country) ?? (provider === 'brevo' ? null : typed)
}

/**
 * Returns the native fields of a contact, and the French names of the parts that cannot be sent. A blank part is not
 * sent, so that it never erases a value at the tool.
 */
const nativeFields = (
  provider: ProviderName,
  { person, country }: Contact,
  keys: NativeKeys,
): { fields: OutboundField[]; refused: string[] } => {
  const fields: OutboundField[] = []
  const refused: string[] = []
  for (const role of CONTACT_ROLES) {
    const typed = person[role]?.trim() ?? ''
    if (typed === '' || NATIVE_FIELDS[provider][role].length === 0) continue
    const name = CONTACT_ROLE_LABELS[role]
    const key = keys[role]
    const value = partOf({ provider, country }, role, typed)
    if (key === null || value === null) refused.push(name)
    else fields.push({ key, name, value, role })
  }
  return { fields, refused }
}

/** Returns the fields of a contact with the native fields of the tool, and the parts that cannot be sent. */
export const outboundFields = (
  provider: ProviderName,
  contact: Contact,
  keys: NativeKeys = defaultKeys(provider),
): { fields: OutboundField[]; refused: string[] } => {
  const native = nativeFields(provider, contact, keys)
  const own = contact.fields.filter(({ value }) => value !== '')
  const fields = [...own, ...native.fields]
  return { fields, refused: native.refused }
}
