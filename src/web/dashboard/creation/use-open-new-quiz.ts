import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import type { Folder, Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import { readShownFolder, WITHOUT_FOLDER } from '#web/dashboard/folders/folder-filter.ts'
import { useFolders } from '#web/dashboard/folders/use-folders.ts'
import { editPath, putQuizFirst, refusalReason } from '#web/dashboard/quizzes/quiz-list.ts'
import { NAME_FIELD_ID } from '#web/editor/fields/field-ids.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'

/** Navigation state that gives the focus to the name of the new quiz. */
const TO_NAME = { field_ids: [NAME_FIELD_ID] }

/**
 * Returns a function that adds a new quiz to the list and the open folder, and opens its editor. The quiz stays without a folder if the server refuses, for example because the folder was deleted meanwhile.
 */
export const useOpenNewQuiz = (): ((quiz: Quiz) => void) => {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { alert } = useDialogs()
  const shown = readShownFolder(useSearchParams()[0], useFolders())
  const folder = shown === WITHOUT_FOLDER ? null : shown

  const putInto = async ({ id, name }: Folder, quiz: Quiz): Promise<void> => {
    try {
      await client.folders.put({ id: quiz.id, body: { folder_id: id } })
    } catch (error) {
      await alert(
        `« ${quiz.name} » est créé, mais n’a pas pu être rangé dans « ${name} ».${refusalReason(error)}`,
      )
    }
  }

  return (quiz) => {
    const { queryKey } = quizzesQuery()
    const placed = { ...quiz, folder_id: folder?.id ?? quiz.folder_id }
    queryClient.setQueryData(queryKey, (list) => list && putQuizFirst(list, placed))
    const done = folder ? putInto(folder, quiz) : Promise.resolve()
    void done.then(() => queryClient.invalidateQueries({ queryKey, exact: true }))
    void navigate(editPath(quiz), { state: TO_NAME })
  }
}
