import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InvitationState } from '#domain/campaigns/campaign.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'

/** Interval between two reads of a campaign whose mails are being sent. */
const SENDING_INTERVAL_MS = 5_000

const keyOf = (id: string) => ['quizzes', id, 'campaigns'] as const

/** Returns the query of the campaigns of a quiz. */
export const campaignsQuery = (id: string) =>
  queryOptions({
    queryKey: keyOf(id),
    queryFn: () => lazyClient.campaigns.list({ id }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/** Returns the query of one campaign, which is read again while its mails are being sent. */
export const campaignQuery = (id: string, campaignId: string) =>
  queryOptions({
    queryKey: [...keyOf(id), campaignId],
    queryFn: () => lazyClient.campaigns.get({ id, campaignId }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) =>
      state.data?.campaign.last_sending_at ? SENDING_INTERVAL_MS : false,
  })

/** Filter of the people of a campaign; a blank group selects people without a group. */
export type PeopleFilter = { state?: InvitationState | undefined; group?: string | undefined }

/** Returns the query of the people of a campaign, page by page. */
export const peopleQuery = (id: string, campaignId: string, filter: PeopleFilter) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(id), campaignId, 'people', filter],
    queryFn: ({ pageParam: after }) =>
      lazyClient.campaigns.people({ id, campaignId, ...filter, after }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: 0,
    placeholderData: (before) => before,
  })
