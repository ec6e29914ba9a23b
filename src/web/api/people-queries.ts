import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { RefusedCall } from '#contract/client.ts'
import type { ParticipantFilters } from '#contract/filters.ts'
import type { Sorting } from '#domain/participant-sort.ts'
import { client } from './client.ts'

/** How the list of participants is sorted and searched. */
export type ParticipantList = Sorting & { search?: string }

/** A list of participants apart from the figures, page by page. */
export const participantsQuery = (
  id: string,
  filters: Partial<ParticipantFilters>,
  list: ParticipantList,
) =>
  infiniteQueryOptions({
    queryKey: [...peopleKey(id), filters, list],
    queryFn: ({ pageParam: cursor }) =>
      client.statistics.responses({
        id,
        ...filters,
        ...list,
        cursor,
        outcomes: '1',
        later: '1',
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
