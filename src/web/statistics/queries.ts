import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { RefusedCall } from '#contract/client/client.ts'
import type { Sorting } from '#domain/statistics/participant-sort.ts'
import { client } from '#web/api/client.ts'
import type { Filters } from './filters/filters.ts'

/** What is still being counted is asked for again after this pause. */
const COUNTING_MS = 1_500

type Counting = { as_of?: unknown }

const whileCounting = ({
  state: { data, error },
}: {
  state: { data: Counting | undefined; error: Error | null }
}) => (error === null && data?.as_of ? COUNTING_MS : (false as const))

export type ResponsesPage = Awaited<ReturnType<typeof client.statistics.responses>>

/** Statistics with the participants page by page, newest first; the figures come with the first page. */
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

export type Quality = Awaited<ReturnType<typeof client.questionQuality.get>>

/** How well the questions tell participants apart; read anew each time it is asked for. */
export const questionQualityQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'question-quality'],
    queryFn: () => client.questionQuality.get({ id }),
    staleTime: 0,
  })

/**
 * The figures of a selection that was still being counted when its participants were read at `read_at`;
 * polled until they are current.
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

/** The texts of an open question that contain these words; the previous ones are shown meanwhile. */
export const textsQuery = (id: string, questionId: string, search: string, filters: Filters) =>
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

/** The key figures of the period and of the one before, those of the filters before meanwhile. */
export const keyFiguresQuery = (id: string, filters: Filters) =>
  queryOptions({
    queryKey: ['quizzes', id, 'key-figures', filters],
    queryFn: () => client.statistics.keyFigures({ id, ...filters, async: '1' }),
    staleTime: 0,
    refetchInterval: whileCounting,
    placeholderData: (before) => before,
  })

/** Who gives which answer, the table before meanwhile: `rows` and `columns` are 'result' or the id of a question. */
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

/** How the list of participants is sorted and searched. */
export type ParticipantList = Sorting & { search?: string }

/** A list of participants apart from the figures, page by page. */
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

/** One participant with whatever is known of them. */
export const participantQuery = (id: string, participantId: string) =>
  queryOptions({
    queryKey: [...peopleKey(id), participantId],
    queryFn: () => client.participants.explain({ id, participantId }),
    staleTime: 0,
    retry: (failures, error) => !isGone(error) && failures < 1,
  })

/** Whatever is known of single participants of a quiz, to read it again. */
export const peopleKey = (id: string): readonly string[] => ['quizzes', id, 'people']

/** Whether what was asked for is not there any more, or never was. */
export const isGone = (error: unknown): boolean =>
  error instanceof RefusedCall && error.status === 404
