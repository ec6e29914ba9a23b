import { infiniteQueryOptions } from '@tanstack/react-query'
import type { DeliveryStatus } from '#domain/delivery.ts'
import type { ProviderName } from '#domain/vocabulary.ts'
import { client } from '#web/api/client.ts'

export type LedgerFilters = {
  provider: ProviderName | undefined
  status: DeliveryStatus | undefined
  email: string
}

/** Deliveries page by page, newest first; the balances come with each page. */
export const deliveriesQuery = (id: string, { email, ...filters }: LedgerFilters) =>
  infiniteQueryOptions({
    queryKey: ['quizzes', id, 'deliveries', { email, ...filters }],
    queryFn: ({ pageParam: cursor }) =>
      client.deliveries.list({ id, ...filters, email: email || undefined, cursor }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: 0,
    placeholderData: (before) => before,
    // Pending deliveries may be sent at any moment.
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.ledgers.some(({ balance }) => balance.pending > 0) ? 5_000 : false,
  })
