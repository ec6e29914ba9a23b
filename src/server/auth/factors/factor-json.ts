import type { Factor } from './factors.store.ts'

/** A second factor as the auth wire spells it; nothing of its secret. */
export const factorJson = (factor: Factor) => ({
  id: factor.id,
  created_at: factor.created_at,
  updated_at: factor.updated_at,
  status: factor.status,
  friendly_name: factor.friendly_name || undefined,
  factor_type: factor.factor_type,
  phone: factor.phone ?? '',
  last_challenged_at: factor.last_challenged_at,
})
