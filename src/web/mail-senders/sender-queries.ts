import { queryOptions } from '@tanstack/react-query'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'

/** Returns the query of the sender and the reply addresses of the account. */
export const senderQuery = () =>
  queryOptions({
    queryKey: ['account', 'mail sender'],
    queryFn: async () => (await lazyClient.mailSender.get()).sender,
    staleTime: 0,
  })
