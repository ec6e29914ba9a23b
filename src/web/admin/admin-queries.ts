import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AccountOrder } from '#contract/admin.ts'
import { createClientOf } from '#contract/client/client.ts'
import { adminEndpoints } from '#contract/kit/admin-endpoints.ts'
import { sendCall } from '#web/api/client.ts'

/** Client of the calls of administrators. */
export const adminClient = createClientOf(adminEndpoints, sendCall).admin

/** Key of all queries of the administration, whose data an action may change. */
export const ADMIN_KEY = ['admin'] as const

/** Returns the query of the state of the installation. */
export const overviewQuery = () =>
  queryOptions({
    queryKey: [...ADMIN_KEY, 'overview'],
    queryFn: () => adminClient.overview(),
    staleTime: 0,
  })

/** Returns the query of the used space, which the server reads again after a minute. */
export const storageQuery = () =>
  queryOptions({ queryKey: [...ADMIN_KEY, 'storage'], queryFn: () => adminClient.storage() })

/** Order and search of the list of accounts. */
export type AccountFilters = { order: AccountOrder; search: string }

/** Returns the query of the accounts, page by page. */
export const accountsQuery = ({ order, search }: AccountFilters) =>
  infiniteQueryOptions({
    queryKey: [...ADMIN_KEY, 'accounts', order, search],
    queryFn: ({ pageParam: after }) => adminClient.accounts({ order, search, after }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
    placeholderData: (before) => before,
  })
