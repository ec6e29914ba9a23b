import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '#web/api/error-text.ts'
import { quizQuery } from '#web/api/queries.ts'
import { useEditsSaved } from '#web/editor/draft/draft-session-registry.ts'
import type { Filters } from '#web/statistics/filters/filters.ts'
import {
  countingQuery,
  keyFiguresQuery,
  peopleKey,
  questionQualityQuery,
  responsesQuery,
} from '#web/statistics/queries.ts'
import { statisticsView } from './statistics-view.ts'

/**
 * Reads the data of the statistics screen for the applied filters. Returns the content of the screen, the next page of
 * participants, and functions that read the data again.
 */
export const useStatistics = (quizId: string, filters: Filters) => {
  const queries = useQueryClient()
  // The count and the figures are read together, each time the screen is opened.
  const quiz = useQuery({ ...quizQuery(quizId), staleTime: 0, enabled: useEditsSaved(quizId) })
  const responses = useInfiniteQuery(responsesQuery(quizId, filters))
  const [pages, setPages] = useState(responses.data?.pages)
  // The previous pages stay while the pages of other filters are read.
  if (responses.data && responses.data.pages !== pages) setPages(responses.data.pages)
  const keyFigures = useQuery(keyFiguresQuery(quizId, filters))
  const counted = useQuery({
    ...countingQuery(quizId, filters, responses.dataUpdatedAt),
    enabled: pages?.[0]?.as_of !== undefined,
  })
  const view = statisticsView({
    filters,
    quiz: { data: quiz.data?.quiz, error: quiz.error },
    responses: {
      data: pages,
      error: responses.error,
      hasNextPage: responses.hasNextPage,
      isNextPageError: responses.isFetchNextPageError,
    },
    backgroundCount: counted,
  })

  const refresh = () =>
    void Promise.all([
      quiz.refetch(),
      responses.refetch(),
      queries.invalidateQueries({ queryKey: peopleKey(quizId) }),
      ...['key-figures', 'crosstab'].map((part) =>
        queries.invalidateQueries({ queryKey: ['quizzes', quizId, part] }),
      ),
    ])
  const nextPageError = 'next_page_error' in view ? view.next_page_error : null
  return {
    view,
    quiz,
    keyFigures,
    /** Time of the last read of the participants in ms. */
    read_at: responses.dataUpdatedAt,
    isPending: responses.isPending,
    isRefreshing: quiz.isRefetching || responses.isRefetching,
    nextPage: responses.hasNextPage
      ? {
          isLoading: responses.isFetchingNextPage,
          error: nextPageError && errorText(nextPageError),
          load: () => void responses.fetchNextPage(),
        }
      : undefined,
    /** Reads the figures again, except for those that take the server a while. */
    refresh,
    refreshAll: (): void => {
      refresh()
      void queries.invalidateQueries(questionQualityQuery(quizId))
    },
  }
}
