import { queryOptions } from '@tanstack/react-query'
import { RefusedCall } from '#contract/client.ts'
import { client } from '#web/api/client.ts'

/** While the page is seen. */
const READ_AGAIN_MS = 30_000

export type SharedStatistics = Awaited<ReturnType<typeof client.sharedStatistics.get>>

/** The figures that a link opens, read again as long as it opens them. */
export const sharedStatisticsQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared-statistics', token],
    queryFn: () => client.sharedStatistics.get({ token }),
    staleTime: 0,
    retry: (count, error) => count < 1 && !(error instanceof RefusedCall),
    refetchInterval: ({ state: { error } }) =>
      error instanceof RefusedCall && error.status === 404 ? false : READ_AGAIN_MS,
    refetchOnWindowFocus: true,
  })
