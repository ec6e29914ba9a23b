import { queryOptions } from '@tanstack/react-query'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'

/** Interval between two reads of a file that is being written. */
const WRITING_INTERVAL_MS = 2_000

/** Returns the query of the file for an audit, which is read again while the file is written. */
export const evidenceQuery = (id: string, campaignId: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'campaigns', campaignId, 'evidence'],
    queryFn: () => lazyClient.evidence.get({ id, campaignId }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) =>
      state.data?.file?.status === 'writing' ? WRITING_INTERVAL_MS : false,
  })
