import { z } from 'zod'
import { KEY_LIFETIMES, KEY_SCOPES, MAX_KEY_NAME_LENGTH } from '#domain/accounts/api-key.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { filledText, uuid } from './kit/fields.ts'

const { apiKeys: apiKeyCalls } = calls
const stamp = z.iso.datetime()
const scope = z.enum(KEY_SCOPES)

/** Description of an API key, without the key itself, which is not stored. */
const apiKey = z.object({
  id: uuid,
  name: z.string(),
  scope,
  created_at: stamp,
  /** Time of the last call, to the minute; null before the first call. */
  last_used_at: stamp.nullable(),
  expires_at: stamp.nullable(),
  is_expired: z.boolean(),
})

/** API keys of a creator. Only a signed-in person creates and revokes them. */
export const apiKeys = group({
  list: {
    ...apiKeyCalls.list,
    access: 'creator',
    key_scope: 'none',
    answer: z.object({ keys: z.array(apiKey) }),
    summary: 'Les clés d’API du compte, des plus récentes aux plus anciennes',
  },
  create: {
    ...apiKeyCalls.create,
    creates: true,
    access: 'creator',
    key_scope: 'none',
    body: z.object({
      name: filledText(MAX_KEY_NAME_LENGTH),
      scope,
      expires_in_days: z.literal([...KEY_LIFETIMES]).nullable(),
    }),
    answer: z.object({
      key: apiKey,
      /** The key itself, which only this answer contains. */
      secret: z.string(),
    }),
    summary: 'Créer une clé d’API ; cette réponse est la seule qui contient la clé elle-même',
  },
  revoke: {
    ...apiKeyCalls.revoke,
    access: 'key_owner',
    key_scope: 'none',
    summary: 'Révoquer une clé d’API, aussitôt et partout',
  },
})

/** Description of an API key. */
export type ApiKey = z.output<typeof apiKey>
