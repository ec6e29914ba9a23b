import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { RefusedCall } from '#contract/client/client.ts'
import type { Sorting } from '#domain/statistics/participant-sort.ts'
import { client } from '#web/api/client.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import type { Filters } from './filters/filters.ts'

/** Polling interval of figures that are still being counted; its twin is in automations/dry-run.tsx. */
const COUNTING_POLL_MS = 1_500

type CountedAnswer = { as_of?: unknown }

const whileCounting = ({
  state: { data, error },
}: {
  state: { data: CountedAnswer | undefined; error: Error | null }
}) => (error === null && data?.as_of ? COUNTING_POLL_MS : (false as const))

/** A page of participants; the first page includes the figures. */
export type ResponsesPage = Awaited<ReturnType<typeof client.statistics.responses>>

/** Returns the query of the participants page by page, newest first; the figures come with the first page. */
export const responsesQuery = (id: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['quizzes', id, 'responses', filters],
    queryFn: ({ pageParam: cursor }) =>
      client.statistics.responses({
        id,
        ...filters,
        cursor,
        outcomes: '1',
        figures: cursor === undefined ? '1' : undefined,
        async: '1',
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: 0,
  })

/** The quality of the questions as the server reports it. */
export type Quality = Awaited<ReturnType<typeof lazyClient.questionQuality.get>>

/** Returns the query of how well the questions distinguish participants, never cached. */
export const questionQualityQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'question-quality'],
    queryFn: () => lazyClient.questionQuality.get({ id }),
    staleTime: 0,
  })

/**
 * Returns the query of a selection's figures that were still being counted when its participants were read at
 * `read_at`. The query is repeated until the figures are current.
 */
export const countingQuery = (id: string, filters: Filters, read_at: number) =>
  queryOptions({
    queryKey: ['quizzes', id, 'counting', filters, read_at],
    queryFn: () =>
      client.statistics.responses({ id, ...filters, limit: 1, figures: '1', async: '1' }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: whileCounting,
  })

/**
 * Returns the query of the texts of an open question that contain these words; the previous texts are shown
 * meanwhile.
 */
export const textsQuery = (id: string, questionId: string, search: string, filters: Filters) =>
  queryOptions({
    queryKey: ['quizzes', id, 'texts', questionId, search, filters],
    queryFn: () => client.statistics.texts({ id, questionId, search, ...filters }),
    staleTime: 0,
    placeholderData: (before) => before,
  })

/** Returns the query of how long participants are kept, and which are deleted next. */
export const retentionQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'retention'],
    queryFn: () => lazyClient.retention.get({ id }),
    staleTime: 0,
  })

/**
 * Returns the query of the key figures of a period and of the earlier one; the previous figures are shown meanwhile.
 */
export const keyFiguresQuery = (id: string, filters: Filters) =>
  queryOptions({
    queryKey: ['quizzes', id, 'key-figures', filters],
    queryFn: () => client.statistics.keyFigures({ id, ...filters, async: '1' }),
    staleTime: 0,
    refetchInterval: whileCounting,
    placeholderData: (before) => before,
  })

/**
 * Returns the query of a crosstab; `rows` and `columns` are 'result' or the id of a question. The previous table is
 * shown meanwhile.
 */
export const crosstabQuery = (
  id: string,
  { rows, columns }: { rows: string; columns: string },
  filters: Filters,
) =>
  queryOptions({
    queryKey: ['quizzes', id, 'crosstab', rows, columns, filters],
    queryFn: () => client.statistics.crosstab({ id, rows, columns, ...filters, async: '1' }),
    staleTime: 0,
    refetchInterval: whileCounting,
    placeholderData: (before) => before,
  })

/** The sorting and the search of a list of participants. */
export type ParticipantList = Sorting & { search?: string }

/** Returns the query of a list of participants without figures, page by page. */
export const participantsQuery = (id: string, filters: Filters, list: ParticipantList) =>
  infiniteQueryOptions({
    queryKey: [...peopleKey(id), filters, list],
    queryFn: ({ pageParam: cursor }) =>
      client.statistics.responses({
        id,
        ...filters,
        ...list,
        cursor,
        outcomes: '1',
        async: '1',
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: 0,
    placeholderData: (before) => before,
  })

/** Returns the query of one participant with all their data. */
export const participantQuery = (id: string, participantId: string) =>
  queryOptions({
    queryKey: [...peopleKey(id), participantId],
    queryFn: () => client.participants.explain({ id, participantId }),
    staleTime: 0,
    retry: (failures, error) => !isGone(error) && failures < 1,
  })

/** Returns the query key of all queries about single participants of a quiz, to invalidate them together. */
export const peopleKey = (id: string): readonly string[] => ['quizzes', id, 'people']

/** Returns true if the requested data no longer exists, or never existed. */
export const isGone = (error: unknown): boolean =>
  error instanceof RefusedCall && error.status === 404
