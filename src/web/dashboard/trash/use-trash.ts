import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { RefusedCall } from '#contract/client/client.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { overviewQuery, quizQuery, quizzesQuery } from '#web/api/queries.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import type { TrashedQuiz } from './trash-labels.ts'

type TrashList = { quizzes: (Quiz & { trashed_at: string })[] }

/** Returns the query of the questionnaires in the trash. */
export const trashQuery = () =>
  queryOptions({
    queryKey: ['trash'],
    queryFn: async (): Promise<TrashList> => {
      const { quizzes } = await client.quizzes.list({ trash: '1' })
      return {
        quizzes: quizzes.flatMap((quiz) =>
          quiz.trashed_at ? { ...quiz, trashed_at: quiz.trashed_at } : [],
        ),
      }
    },
    staleTime: 0,
  })

/** Does nothing if a call fails because another tab was first. */
const ignoreMissing = async (call: Promise<unknown>): Promise<void> => {
  try {
    await call
  } catch (error) {
    if (!(error instanceof RefusedCall && error.status === 404)) throw error
  }
}

/** Returns the changes of the trash. Each updates the list of the trash at once, and reads the dashboard again. */
export const useTrashChanges = () => {
  const queries = useQueryClient()
  const { queryKey } = trashQuery()
  const leave = (ids: readonly string[]): void => {
    queries.setQueryData(
      queryKey,
      (list) => list && { quizzes: list.quizzes.filter(({ id }) => !ids.includes(id)) },
    )
    void queries.invalidateQueries({ queryKey })
    void queries.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true })
    void queries.invalidateQueries({ queryKey: overviewQuery().queryKey })
  }
  return {
    restore: async ({ id }: TrashedQuiz): Promise<void> => {
      await lazyClient.trash.restore({ id })
      // The editor may have cached that the questionnaire is missing.
      queries.removeQueries({ queryKey: quizQuery(id).queryKey })
      leave([id])
    },
    deleteForEver: async ({ id }: TrashedQuiz): Promise<void> => {
      await ignoreMissing(client.quizzes.remove({ id, permanently: '1' }))
      leave([id])
    },
    empty: async (quizzes: readonly TrashedQuiz[]): Promise<void> => {
      await lazyClient.trash.empty()
      leave(quizzes.map(({ id }) => id))
    },
  }
}
