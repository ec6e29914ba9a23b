import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { Contact, OpenConnection } from '#server/integrations/providers/provider.ts'

/** A connection that holds this secret, as if it had just been opened. */
export const connectionWith = (provider: ProviderName, secret: string): OpenConnection => ({
  id: '00000000-0000-7000-8000-000000000001',
  user_id: '00000000-0000-7000-8000-000000000002',
  provider,
  secret,
  vendor_account_id: null,
})

type Given = {
  result_name?: string | null
  field_key?: string | null
  tag?: string
  labels?: Contact['labels']
}

/** A participant with a result, and without a tag unless it is given. */
export const contactOf = (
  email: string,
  { result_name = 'Profil créatif', field_key = null, tag, labels }: Given = {},
): Contact => ({
  email,
  fields:
    result_name !== null && field_key !== null ? [{ key: field_key, value: result_name }] : [],
  labels: labels ?? (tag === undefined ? [] : [{ name: tag, vendor_id: null }]),
})
