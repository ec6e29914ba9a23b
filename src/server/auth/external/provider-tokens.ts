import type { Services } from '#server/auth/services.ts'
import { seal, unseal } from '#server/sealing.ts'

/** What a provider lets its client do in the person's name; nothing here uses it, the client may. */
export type ProviderTokens = { provider_token?: string; provider_refresh_token?: string }

const labelOf = (user_id: string): string => `flow_states/${user_id}`

/** The tokens as they are kept until the client fetches them with its code. */
export const sealProviderTokens = (
  { providerKey }: Pick<Services, 'providerKey'>,
  user_id: string,
  tokens: ProviderTokens,
): Buffer => seal(providerKey, labelOf(user_id), JSON.stringify(tokens))

/** The tokens of a flow; none for a flow of a mail. */
export const openProviderTokens = (
  { providerKey }: Pick<Services, 'providerKey'>,
  flow: { user_id: string; sealed_provider_tokens: Buffer | null },
): ProviderTokens => {
  if (!flow.sealed_provider_tokens) return {}
  const { provider_token, provider_refresh_token } = JSON.parse(
    unseal(providerKey, labelOf(flow.user_id), flow.sealed_provider_tokens),
  )
  return { provider_token, ...(provider_refresh_token && { provider_refresh_token }) }
}
