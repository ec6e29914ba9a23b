import type { ProviderName } from '#domain/common/vocabulary.ts'
import { type ContactData, NO_CONTACT } from '#domain/run/contact/contact.ts'
import type { Contact, OpenConnection } from '#server/integrations/providers/provider.ts'

/** Returns an open connection to a tool with this secret. */
export const connectionWith = (provider: ProviderName, secret: string): OpenConnection => ({
  id: '00000000-0000-7000-8000-000000000001',
  user_id: '00000000-0000-7000-8000-000000000002',
  provider,
  secret,
  vendor_account_id: null,
})

type ContactOptions = {
  result_name?: string | null
  person?: Partial<ContactData>
  /** Mapped fields, which are left out if the tool refuses them. */
  mapped?: Contact['fields']
  field_key?: string | null
  tag?: string
  labels?: Contact['labels']
  country?: Contact['country']
}

/** Returns a contact with a result in a field, and with labels if given. */
export const contactOf = (
  email: string,
  {
    result_name = 'Profil créatif',
    field_key = null,
    person,
    mapped = [],
    tag,
    labels,
    country = 'FR',
  }: ContactOptions = {},
): Contact => ({
  email,
  person: { ...NO_CONTACT, ...person },
  country,
  fields: [
    ...(result_name !== null && field_key !== null
      ? [{ key: field_key, name: 'Résultat', value: result_name, is_result: true as const }]
      : []),
    ...mapped,
  ],
  labels: labels ?? (tag === undefined ? [] : [{ name: tag, vendor_id: null, kind: null }]),
})
