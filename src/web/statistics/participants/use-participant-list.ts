import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ListedParticipant } from '#contract/statistics/statistics.ts'
import { errorText } from '#web/api/error-text.ts'
import type { Filters } from '#web/statistics/filters/filters.ts'
import { type ParticipantList, participantsQuery } from '#web/statistics/queries.ts'
import { isNewestFirst } from './participant-sorting.ts'

/** The next page of a list that can be loaded. */
export type NextPage = { isLoading: boolean; error: string | null; load: () => void }

/** The list that comes with the figures: the newest participants. */
export type NewestParticipants = {
  participants: readonly ListedParticipant[]
  /** The number of all participants; null while they are being counted. */
  count: number | null
  more: NextPage | undefined
}

type ParticipantListState = NewestParticipants & {
  /** The reason why the list could not be read or updated; the previous rows stay. */
  error: string | null
  isReading: boolean
}

/**
 * Returns the participants in the chosen sorting and search. The newest come with the figures, any other list from
 * its own query.
 */
export const useParticipantList = (
  { quizId, filters, newest }: { quizId: string; filters: Filters; newest: NewestParticipants },
  list: ParticipantList,
): ParticipantListState => {
  const isOwn = !isNewestFirst(list)
  const own_query = useInfiniteQuery({
    ...participantsQuery(quizId, filters, list),
    enabled: isOwn,
  })
  const pages = own_query.data?.pages
  const read = useMemo(
    () => removeDuplicates(pages?.flatMap(({ details }) => details) ?? []),
    [pages],
  )
  if (!isOwn) return { ...newest, error: null, isReading: false }
  const isComplete = pages !== undefined && !own_query.hasNextPage
  return {
    // The previous rows stay until the first page is loaded.
    participants: pages ? read : newest.participants,
    count: countOf({ isComplete, listed: read.length, all: list.search ? null : newest.count }),
    more: own_query.hasNextPage
      ? {
          isLoading: own_query.isFetchingNextPage,
          error: own_query.isFetchNextPageError ? errorText(own_query.error) : null,
          load: () => void own_query.fetchNextPage(),
        }
      : undefined,
    error: own_query.error && !own_query.isFetchNextPageError ? errorText(own_query.error) : null,
    isReading: own_query.isPending || own_query.isPlaceholderData,
  }
}

const countOf = (known: {
  isComplete: boolean
  listed: number
  all: number | null
}): number | null => (known.isComplete ? known.listed : known.all)

/** Removes duplicates: a participant whose delivery has changed may appear again on a later page. */
const removeDuplicates = (participants: readonly ListedParticipant[]): ListedParticipant[] => [
  ...new Map(
    participants.map((participant) => [participant.participant_uuid, participant]),
  ).values(),
]
