import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Question, Quiz, Result, ScoreThresholds, TextBlock } from '#domain/quiz.ts'
import type { QuizMode } from '#domain/vocabulary.ts'
import {
  hasChangesQuery,
  quizQuery,
  quizzesQuery,
  snapshotQuery,
  unifiedQuery,
} from '#web/api/queries.ts'

type Content = {
  questions: Question[]
  text_blocks: TextBlock[]
  quiz_mode: QuizMode
  score_thresholds: ScoreThresholds
}

export type EditorCache = ReturnType<typeof createEditorCache>

/**
 * What the screens of one quiz know of each other's edits, so that going back and forth never shows
 * what was there before. A screen says what it shows when that changes and again when it is stored
 * (a loading under way may have brought back the older).
 */
const createEditorCache = (queryClient: QueryClient, quizId: string) => {
  const detailKey = quizQuery(quizId).queryKey
  const listKey = quizzesQuery().queryKey
  const unifiedKey = unifiedQuery(quizId).queryKey
  const snapshotKey = snapshotQuery(quizId).queryKey
  const changesKey = hasChangesQuery(quizId, 0).queryKey

  return {
    quizChanged: (changes: Partial<Quiz>): void => {
      queryClient.setQueryData(
        detailKey,
        (detail) => detail && { ...detail, quiz: { ...detail.quiz, ...changes } },
      )
      queryClient.setQueryData(
        listKey,
        (list) =>
          list && {
            quizzes: list.quizzes.map((quiz) =>
              quiz.id === quizId ? { ...quiz, ...changes } : quiz,
            ),
          },
      )
    },
    resultsChanged: (results: Result[]): void => {
      queryClient.setQueryData(detailKey, (detail) => detail && { ...detail, results })
    },
    contentChanged: (content: Content): void => {
      const { questions, text_blocks, quiz_mode, score_thresholds } = content
      queryClient.setQueryData(detailKey, (detail) => detail && { ...detail, questions })
      queryClient.setQueryData(
        unifiedKey,
        (unified) => unified && { ...unified, questions, text_blocks, quiz_mode, score_thresholds },
      )
    },
    /** Something was stored: what other screens load of the draft is old, the published version too perhaps. */
    draftStored: (): void => {
      queryClient.removeQueries({ queryKey: snapshotKey, type: 'inactive' })
      void queryClient.invalidateQueries({ queryKey: unifiedKey, refetchType: 'none' })
      void queryClient.invalidateQueries({ queryKey: changesKey })
    },
    /** The draft was published: everything the server says of the quiz is asked again (spec §4). */
    published: (quiz: Quiz): void => {
      queryClient.setQueryData(changesKey, { has_unpublished_changes: false })
      queryClient.setQueryData(detailKey, (detail) => detail && { ...detail, quiz })
      for (const queryKey of [detailKey, listKey, changesKey])
        void queryClient.invalidateQueries({ queryKey, exact: true })
    },
  }
}

export const useEditorCache = (quizId: string): EditorCache => {
  const queryClient = useQueryClient()
  return useMemo(() => createEditorCache(queryClient, quizId), [queryClient, quizId])
}
