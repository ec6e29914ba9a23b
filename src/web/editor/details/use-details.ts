import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Quiz } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import { useEditorCache } from '#web/editor/editor-cache.ts'

export type Details = Pick<Quiz, 'name' | 'type' | 'status'>

/** Creates a quiz and goes on editing it (spec §2 « Quiz edit screen »). */
export const useCreateQuiz = () => {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ name, type }: Details) => client.quizzes.create({ body: { name, type } }),
    onSuccess: async ({ quiz }) => {
      await queryClient.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true })
      await navigate(`/quiz/${quiz.id}/edit`, { replace: true })
    },
  })
}

/** Changes a quiz; choosing 'Publié' publishes it, with the server's checks (decisions). */
export const useSaveDetails = ({ id }: Pick<Quiz, 'id'>) => {
  const cache = useEditorCache(id)
  return useMutation({
    mutationFn: (details: Details) => client.quizzes.update({ id, body: details }),
    onSuccess: ({ quiz }) => {
      cache.quizChanged(quiz)
      cache.draftStored()
    },
  })
}
