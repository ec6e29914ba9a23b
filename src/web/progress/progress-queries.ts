import { queryOptions } from '@tanstack/react-query'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'

/** Returns the query of a campaign compared with an earlier one; '' for the one that the campaign names. */
export const progressQuery = (id: string, campaignId: string, before: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'campaigns', campaignId, 'progress', before],
    queryFn: () => lazyClient.progress.get({ id, campaignId, ...(before && { before }) }),
    staleTime: 0,
    placeholderData: (shown) => shown,
  })
