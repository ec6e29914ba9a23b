import { queryOptions } from '@tanstack/react-query'
import { laterClient } from '#web/later-api/later-client.ts'

/** The webhooks of a quiz; what a receiver answers may change their state at any moment. */
export const webhooksQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'webhooks'],
    queryFn: () => laterClient.webhooks.list({ id }),
    staleTime: 0,
  })
