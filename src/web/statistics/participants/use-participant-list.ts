import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ListedParticipant } from '#contract/statistics.ts'
import { errorText } from '#web/api/error-text.ts'
import type { Filters } from '#web/statistics/filters/filters.ts'
import { type ParticipantList, participantsQuery } from '#web/statistics/queries.ts'
import { isNewestFirst } from './list-address.ts'

export type More = { isLoading: boolean; error: string | null; load: () => void }

/** The list that the figures came with: that of the newest. */
export type NewestFirst = {
  participants: readonly ListedParticipant[]
  /** The number of all participants; null while it is being counted. */
  count: number | null
  more: More | undefined
}

type Shown = NewestFirst & {
  /** Why the list could not be read, or not again; those before stay. */
  error: string | null
  isReading: boolean
}

/** The participants sorted and searched as asked: the newest as the screen has read them, else of a call of their own. */
export const useParticipantList = (
  { quizId, filters, newest }: { quizId: string; filters: Filters; newest: NewestFirst },
  list: ParticipantList,
): Shown => {
  const isOwn = !isNewestFirst(list)
  const own = useInfiniteQuery({ ...participantsQuery(quizId, filters, list), enabled: isOwn })
  const pages = own.data?.pages
  const read = useMemo(() => onceEach(pages?.flatMap(({ details }) => details) ?? []), [pages])
  if (!isOwn) return { ...newest, error: null, isReading: false }
  const isComplete = pages !== undefined && !own.hasNextPage
  return {
    // Until the first page is there, those of before stay.
    participants: pages ? read : newest.participants,
    count: countOf({ isComplete, listed: read.length, all: list.search ? null : newest.count }),
    more: own.hasNextPage
      ? {
          isLoading: own.isFetchingNextPage,
          error: own.isFetchNextPageError ? errorText(own.error) : null,
          load: () => void own.fetchNextPage(),
        }
      : undefined,
    error: own.error && !own.isFetchNextPageError ? errorText(own.error) : null,
    isReading: own.isPending || own.isPlaceholderData,
  }
}

const countOf = (known: {
  isComplete: boolean
  listed: number
  all: number | null
}): number | null => (known.isComplete ? known.listed : known.all)

/** Each once: what is sorted by its delivery may come again on a later page when that has moved on. */
const onceEach = (participants: readonly ListedParticipant[]): ListedParticipant[] => [
  ...new Map(participants.map((one) => [one.participant_uuid, one])).values(),
]
