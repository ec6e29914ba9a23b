import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import type { Quiz } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import { newId } from '#web/editor/new-id.ts'
import { colorsOf, copyName, duplicateDraft } from './duplicate-draft.ts'
import { withQuiz } from './quiz-list.ts'

const DUPLICATION = ['quiz-duplication']

/** Copies the quiz of an id and puts the copy first in the list; `duplicating` are the ids under way. */
export const useDuplication = () => {
  const queryClient = useQueryClient()
  const { queryKey } = quizzesQuery()
  const duplicating: unknown[] = useMutationState({
    filters: { mutationKey: DUPLICATION, status: 'pending' },
    select: ({ state }) => state.variables,
  })
  const { mutateAsync } = useMutation({
    mutationKey: DUPLICATION,
    mutationFn: duplicateQuiz,
    onSuccess: (copy) => queryClient.setQueryData(queryKey, (list) => list && withQuiz(list, copy)),
    // After a failure too: what could not be taken away again must not stay unseen.
    onSettled: () => void queryClient.invalidateQueries({ queryKey, exact: true }),
  })
  /** Two clicks can come before anything is rendered again: only the first one counts. */
  const isDuplicating = (id: string): boolean =>
    queryClient.isMutating({
      mutationKey: DUPLICATION,
      predicate: ({ state }) => state.variables === id,
    }) > 0
  return { duplicate: mutateAsync, isDuplicating, duplicating }
}

/** Makes a copy with the calls of the editor; when one of them fails, nothing is left of it. */
const duplicateQuiz = async (original_id: string): Promise<Quiz> => {
  const [{ quiz }, content] = await Promise.all([
    client.quizzes.get({ id: original_id }),
    client.questions.unified({ id: original_id }),
  ])
  const { results, draft } = duplicateDraft(content, newId)
  const {
    quiz: { id },
  } = await client.quizzes.create({ body: { name: copyName(quiz.name), type: quiz.type } })
  try {
    await client.results.saveAll({ id, body: { results } })
    await client.questions.saveDraft({ id, body: draft })
    const { quiz: copy } = await client.quizzes.update({ id, body: colorsOf(quiz) })
    return copy
  } catch (error) {
    // The first failure is the one to tell.
    await client.quizzes.remove({ id }).catch(() => undefined)
    throw error
  }
}
