import { queryOptions } from '@tanstack/react-query'
import { auth } from '#web/api/auth-client.ts'
import { client } from '#web/api/client.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { unwrapAuthData } from '#web/session/use-action.ts'

/** Returns the query of the current account at the auth service; the session's copy may be an hour old. */
export const accountQuery = () =>
  queryOptions({
    queryKey: ['account', 'user'],
    queryFn: async () => (await unwrapAuthData(auth.getUser())).user,
    staleTime: 0,
  })

/** Returns the query of the storage that the creator's pictures use. */
export const imageUsageQuery = () =>
  queryOptions({
    queryKey: ['account', 'images'],
    queryFn: () => client.images.usage(),
    staleTime: 0,
  })

/** Returns the query of the creator's API keys, newest first. */
export const apiKeysQuery = () =>
  queryOptions({
    queryKey: ['account', 'api keys'],
    queryFn: () => lazyClient.apiKeys.list(),
    staleTime: 0,
  })

/** Returns the query of the devices on which the creator is signed in. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: ['account', 'sessions'],
    queryFn: () => lazyClient.account.sessions(),
    staleTime: 0,
  })
