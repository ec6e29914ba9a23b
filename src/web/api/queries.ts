import { QueryClient, queryOptions } from '@tanstack/react-query'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { client } from './client.ts'

/** Spec §7 « Client caching ». */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5 * 60_000, refetchOnWindowFocus: false, retry: 1 },
      mutations: { networkMode: 'always' },
    },
  })

export const quizzesQuery = () =>
  queryOptions({ queryKey: ['quizzes'], queryFn: () => client.quizzes.list() })

/** The figures of all quizzes of the creator, for their list. */
export const overviewQuery = () =>
  queryOptions({ queryKey: ['overview'], queryFn: () => client.statistics.overview() })

export const quizQuery = (id: string) =>
  queryOptions({ queryKey: ['quizzes', id], queryFn: () => client.quizzes.get({ id }) })

/** Whether the published quiz has unpublished changes: polled, and read again after a save and on focus (spec §4). */
export const hasChangesQuery = (
  id: string,
  { every_ms = 0, isPublished = true }: { every_ms?: number; isPublished?: boolean } = {},
) =>
  queryOptions({
    enabled: isPublished,
    queryKey: ['quizzes', id, 'has-changes'],
    queryFn: () => client.quizzes.hasChanges({ id }),
    staleTime: 0,
    refetchInterval: every_ms > 0 ? every_ms : false,
  })

/** The draft as its preview takes it, or one of its versions. */
export const snapshotQuery = (id: string, version: string | null = null) =>
  queryOptions({
    queryKey: version === null ? ['quizzes', id, 'snapshot'] : ['quizzes', id, 'snapshot', version],
    queryFn: (): Promise<{ snapshot: Snapshot }> =>
      version === null
        ? client.taking.snapshot({ id, preview: '1' })
        : client.versions.get({ id, version }),
  })
