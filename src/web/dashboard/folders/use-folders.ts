import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Folder, Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import { refusalReason } from '#web/dashboard/quizzes/quiz-list.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { sortFolders } from './folder-filter.ts'

const foldersQuery = () =>
  queryOptions({ queryKey: ['folders'], queryFn: () => client.folders.list() })

/** Returns the creator's folders by name; an empty list until they are loaded. */
export const useFolders = (): Folder[] => {
  const { data } = useQuery({ ...foldersQuery(), staleTime: 0 })
  return useMemo(() => sortFolders(data?.folders ?? []), [data])
}

/**
 * Returns the functions that change folders. Each reports its success through `notify` and shows the reason of a failure
 * in an alert. Each returns true if the server has stored the change.
 */
export const useFolderChanges = (notify: (text: string) => void) => {
  const { alert, confirm } = useDialogs()
  const queryClient = useQueryClient()
  const { mutateAsync: store } = useMutation({
    mutationFn: (call: () => Promise<unknown>) => call(),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: foldersQuery().queryKey }),
        queryClient.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true }),
      ]),
  })
  const change = async (
    call: () => Promise<unknown>,
    words: { done: string; failed: string },
  ): Promise<boolean> => {
    try {
      await store(call)
      notify(words.done)
      return true
    } catch (error) {
      await alert(`${words.failed}${refusalReason(error)}`)
      return false
    }
  }
  return {
    /** Puts a quiz in a folder, or takes it out of its folder if `folder` is null. */
    put: (quiz: Pick<Quiz, 'id' | 'name'>, folder: Folder | null): Promise<boolean> =>
      change(() => client.folders.put({ id: quiz.id, body: { folder_id: folder?.id ?? null } }), {
        done: folder
          ? `« ${quiz.name} » est rangé dans « ${folder.name} »`
          : `« ${quiz.name} » n’est plus dans un dossier`,
        failed: `« ${quiz.name} » n’a pas pu être rangé.`,
      }),

    /** Creates a folder and puts a quiz in it. */
    createFor: (quiz: Pick<Quiz, 'id' | 'name'>, name: string): Promise<boolean> =>
      change(
        async () => {
          const { folder } = await client.folders.create({ body: { name } })
          await client.folders.put({ id: quiz.id, body: { folder_id: folder.id } })
        },
        {
          done: `« ${quiz.name} » est rangé dans le nouveau dossier « ${name} »`,
          failed: `Le dossier « ${name} » n’a pas pu être créé.`,
        },
      ),

    rename: (folder: Folder, name: string): Promise<boolean> =>
      change(() => client.folders.rename({ id: folder.id, body: { name } }), {
        done: `« ${folder.name} » s’appelle maintenant « ${name} »`,
        failed: `Le dossier « ${folder.name} » n’a pas pu être renommé.`,
      }),

    /** Deletes a folder after a confirmation. Its quizzes stay. */
    remove: async (folder: Folder, nb_quizzes: number): Promise<boolean> => {
      const kept =
        nb_quizzes > 1
          ? ` Ses ${nb_quizzes} questionnaires restent, sans dossier.`
          : ' Son questionnaire reste, sans dossier.'
      const isConfirmed = await confirm(
        `Supprimer le dossier « ${folder.name} » ?${nb_quizzes > 0 ? kept : ''}`,
        { confirm_label: 'Supprimer', danger: true },
      )
      if (!isConfirmed) return false
      return change(() => client.folders.remove({ id: folder.id }), {
        done: `Le dossier « ${folder.name} » est supprimé`,
        failed: `Le dossier « ${folder.name} » n’a pas pu être supprimé.`,
      })
    },
  }
}
