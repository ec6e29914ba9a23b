import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { UNPUBLISHED } from '#domain/common/vocabulary.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { hasChangesQuery, quizQuery, quizzesQuery, snapshotQuery } from '#web/api/queries.ts'
import { draftSessions } from '#web/editor/draft/draft-session-registry.ts'
import {
  otherType,
  typeChangeConfirmation,
  typeChangedText,
  withdrawConfirmation,
  withdrawnText,
} from '#web/editor/frame/quiz-action-labels.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { putQuizFirst, refusalReason } from './quiz-list.ts'

const DUPLICATION = ['quiz-duplication']

/** Duplicates a quiz by its id and puts the copy first in the list; `duplicating` has the ids in progress. */
export const useDuplication = () => {
  const queryClient = useQueryClient()
  const { queryKey } = quizzesQuery()
  const duplicating: unknown[] = useMutationState({
    filters: { mutationKey: DUPLICATION, status: 'pending' },
    select: ({ state }) => state.variables,
  })
  const { mutateAsync } = useMutation({
    mutationKey: DUPLICATION,
    mutationFn: async (id: string) => (await client.quizzes.duplicate({ id })).quiz,
    onSuccess: (copy) =>
      queryClient.setQueryData(queryKey, (list) => list && putQuizFirst(list, copy)),
    // The list is read again even after a failure, because the copy may exist although its answer was lost.
    onSettled: () => void queryClient.invalidateQueries({ queryKey, exact: true }),
  })
  /** Read from the mutations, so that a second click before the next render is ignored. */
  const isDuplicating = (id: string): boolean =>
    queryClient.isMutating({
      mutationKey: DUPLICATION,
      predicate: ({ state }) => state.variables === id,
    }) > 0
  return { duplicate: mutateAsync, isDuplicating, duplicating }
}

type Changes = Partial<Pick<Quiz, 'name' | 'type' | 'status'>>

/**
 * Returns the changes that the menu of a card makes. The list shows a change at once; after a failure it is restored,
 * with the reason. `notify` shows the outcome.
 */
export const useQuizChanges = (notify: (text: string) => void) => {
  const { confirm, alert } = useDialogs()
  const store = useStoredChange()

  const change = async (quiz: Quiz, changes: Changes, words: { done: string; failed: string }) => {
    try {
      await store({ quiz, changes })
      notify(words.done)
    } catch (error) {
      await alert(`${words.failed}${refusalReason(error)}`)
    }
  }
  return {
    rename: (quiz: Quiz, name: string): Promise<void> =>
      change(
        quiz,
        { name },
        {
          done: `« ${quiz.name} » s’appelle maintenant « ${name} »`,
          failed: `« ${quiz.name} » n’a pas pu être renommé.`,
        },
      ),

    changeType: async (quiz: Quiz): Promise<void> => {
      const { message, ...options } = typeChangeConfirmation(quiz)
      if (!(await confirm(message, options))) return
      await change(
        quiz,
        { type: otherType(quiz) },
        {
          done: typeChangedText(quiz),
          failed: `Le type de « ${quiz.name} » n’a pas pu être changé.`,
        },
      )
    },

    withdraw: async (quiz: Quiz): Promise<void> => {
      const { message, ...options } = withdrawConfirmation(quiz)
      if (!(await confirm(message, options))) return
      await change(
        quiz,
        { status: UNPUBLISHED },
        { done: withdrawnText(quiz), failed: `« ${quiz.name} » n’a pas pu être dépublié.` },
      )
    },
  }
}

const useStoredChange = () => {
  const queryClient = useQueryClient()
  const { queryKey } = quizzesQuery()
  const show = (id: string, changes: Changes): void => {
    queryClient.setQueryData(
      queryKey,
      (list) =>
        list && {
          ...list,
          quizzes: list.quizzes.map((quiz) => (quiz.id === id ? { ...quiz, ...changes } : quiz)),
        },
    )
  }
  const { mutateAsync } = useMutation({
    mutationFn: ({ quiz, changes }: { quiz: Quiz; changes: Changes }) =>
      client.quizzes.update({ id: quiz.id, body: changes }),
    onMutate: async ({ quiz, changes }) => {
      // Cancelled, because a list that is being loaded may be older than the change.
      await queryClient.cancelQueries({ queryKey, exact: true })
      show(quiz.id, changes)
    },
    onError: (_error, { quiz: { id, name, type, status }, changes }) => {
      const before = { name, type, status }
      const names = Object.keys(changes) as (keyof Changes)[]
      show(id, Object.fromEntries(names.map((field) => [field, before[field]])))
    },
    onSuccess: ({ quiz }) => {
      const { id } = quiz
      queryClient.setQueryData(queryKey, (list) => list && putQuizFirst(list, quiz))
      queryClient.removeQueries({ queryKey: snapshotQuery(id).queryKey })
      void queryClient.invalidateQueries({ queryKey: hasChangesQuery(id).queryKey })
      void queryClient.invalidateQueries({ queryKey: quizQuery(id).queryKey, exact: true })
      // The editor keeps its drafts in memory.
      draftSessions
        .find(id)
        ?.refresh()
        .catch((error: unknown) => console.warn('Refreshing the draft failed', error))
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey, exact: true }),
  })
  return mutateAsync
}
