import { QueryClient, queryOptions } from '@tanstack/react-query'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { client } from './client.ts'

/** Creates the query cache with the times of product 5.7. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5 * 60_000, refetchOnWindowFocus: false, retry: 1 },
      mutations: { networkMode: 'always' },
    },
  })

/** Returns the query of the creator's quizzes. */
export const quizzesQuery = () =>
  queryOptions({ queryKey: ['quizzes'], queryFn: () => client.quizzes.list() })

/** Returns the query of the figures of all quizzes, for the dashboard. */
export const overviewQuery = () =>
  queryOptions({ queryKey: ['overview'], queryFn: () => client.statistics.overview() })

/** Returns the query of one quiz. */
export const quizQuery = (id: string) =>
  queryOptions({ queryKey: ['quizzes', id], queryFn: () => client.quizzes.get({ id }) })

/**
 * Returns the query whether a published quiz has unpublished changes (product 6.5). Polls the server if `every_ms` is
 * positive.
 */
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

/** Returns the query of the snapshot that a preview shows: of the draft, or of a version. */
export const snapshotQuery = (id: string, version: string | null = null) =>
  queryOptions({
    queryKey: version === null ? ['quizzes', id, 'snapshot'] : ['quizzes', id, 'snapshot', version],
    queryFn: (): Promise<{ snapshot: Snapshot }> =>
      version === null
        ? client.publicQuiz.snapshot({ id, preview: '1' })
        : client.versions.get({ id, version }),
  })
