import { queryOptions } from '@tanstack/react-query'
import { auth } from '#web/api/auth-client.ts'
import { client } from '#web/api/client.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { dataOf } from '#web/session/use-action.ts'

/** The account as the service has it now; the session's copy may be an hour old. */
export const accountQuery = () =>
  queryOptions({
    queryKey: ['account', 'user'],
    queryFn: async () => (await dataOf(auth.getUser())).user,
    staleTime: 0,
  })

/** How much room the creator's pictures take. */
export const imageUsageQuery = () =>
  queryOptions({
    queryKey: ['account', 'images'],
    queryFn: () => client.images.usage(),
    staleTime: 0,
  })

/** The creator's API keys, newest first. */
export const apiKeysQuery = () =>
  queryOptions({
    queryKey: ['account', 'api keys'],
    queryFn: () => lazyClient.apiKeys.list(),
    staleTime: 0,
  })

export const sessionsQuery = () =>
  queryOptions({
    queryKey: ['account', 'sessions'],
    queryFn: () => lazyClient.account.sessions(),
    staleTime: 0,
  })
