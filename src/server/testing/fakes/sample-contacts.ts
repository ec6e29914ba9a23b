import type { ProviderName } from '#domain/common/vocabulary.ts'
import { NO_CONTACT } from '#domain/run/contact.ts'
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
  field_key?: string | null
  tag?: string
  labels?: Contact['labels']
}

/** Returns a contact with a result in a field, and with labels if given. */
export const contactOf = (
  email: string,
  { result_name = 'Profil créatif', field_key = null, tag, labels }: ContactOptions = {},
): Contact => ({
  email,
  person: NO_CONTACT,
  fields:
    result_name !== null && field_key !== null
      ? [{ key: field_key, name: 'Résultat', value: result_name }]
      : [],
  labels: labels ?? (tag === undefined ? [] : [{ name: tag, vendor_id: null, kind: null }]),
})
