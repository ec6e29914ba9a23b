import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query'
import type { ParticipantFilters } from '#contract/filters.ts'
import type { Snapshot } from '#domain/snapshot.ts'
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

export type ResponsesPage = Awaited<ReturnType<typeof client.statistics.responses>>

/** Statistics with the participants page by page, newest first; the figures come with the first page. */
export const responsesQuery = (id: string, filters: Partial<ParticipantFilters>) =>
  infiniteQueryOptions({
    queryKey: ['quizzes', id, 'responses', filters],
    queryFn: ({ pageParam: cursor }) =>
      client.statistics.responses({
        id,
        ...filters,
        cursor,
        outcomes: '1',
        figures: cursor === undefined ? '1' : undefined,
        later: '1',
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: 0,
  })

export type Quality = Awaited<ReturnType<typeof client.questionQuality.get>>

/** How well the questions tell participants apart; read anew each time it is asked for. */
export const questionQualityQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'question-quality'],
    queryFn: () => client.questionQuality.get({ id }),
    staleTime: 0,
  })

const COUNTING_MS = 1_500

/**
 * The figures of a selection that was still being counted when its participants were read at `read_at`;
 * polled until they are current.
 */
export const countingQuery = (id: string, filters: Partial<ParticipantFilters>, read_at: number) =>
  queryOptions({
    queryKey: ['quizzes', id, 'counting', filters, read_at],
    queryFn: () =>
      client.statistics.responses({ id, ...filters, limit: 1, figures: '1', later: '1' }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state: { data, error } }) =>
      error === null && data?.counting ? COUNTING_MS : false,
  })

/** The texts of an open question that contain these words; the previous ones are shown meanwhile. */
export const textsQuery = (
  id: string,
  questionId: string,
  search: string,
  filters: Partial<ParticipantFilters>,
) =>
  queryOptions({
    queryKey: ['quizzes', id, 'texts', questionId, search, filters],
    queryFn: () => client.statistics.texts({ id, questionId, search, ...filters }),
    staleTime: 0,
    placeholderData: (before) => before,
  })

/** How long participants are kept, and which are removed next. */
export const retentionQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'retention'],
    queryFn: () => client.retention.get({ id }),
    staleTime: 0,
  })
