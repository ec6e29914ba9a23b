import type { ProviderName } from '#domain/vocabulary.ts'
import type { Contact, OpenConnection } from '#server/integrations/providers/provider.ts'

/** A connection that holds this secret, as if it had just been opened. */
export const connectionWith = (provider: ProviderName, secret: string): OpenConnection => ({
  id: '00000000-0000-7000-8000-000000000001',
  user_id: '00000000-0000-7000-8000-000000000002',
  provider,
  secret,
  vendor_account_id: null,
})

/** A participant with a result and no tag. */
export const contactOf = (email: string, more: Partial<Contact> = {}): Contact => ({
  email,
  result_name: 'Profil créatif',
  field_key: null,
  tag: null,
  ...more,
})
