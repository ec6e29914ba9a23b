import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readFieldMessage } from '#contract/kit/field-message.ts'
import { keepFocusInView } from '#web/editor/fields/scrolling.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { mappingsQuery } from './mapping-queries.ts'

type Change = {
  act: () => Promise<unknown>
  /** Sentence for screen readers about the success. */
  done: string
  /** Sentence about a failure without a reason of the server. */
  failure: string
}

/**
 * Returns a function that changes the mappings of a quiz. Changes are made one after another, so that quick presses are
 * all kept. The reason of a failure is returned until the next change.
 */
export const useMappingChanges = (quizId: string) => {
  const queries = useQueryClient()
  const [error, setError] = useState<string>()
  const { queryKey } = mappingsQuery(quizId)
  const { mutate } = useMutation({
    scope: { id: `mappings ${quizId}` },
    mutationFn: ({ act }: Change) => act(),
    onMutate: () => setError(undefined),
    onSuccess: (_answer, { done }) => announceToScreenReader(done),
    onError: (reason, { failure }) =>
      setError(readFieldMessage(failureText(reason, failure)).reason),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey })
      keepFocusInView()
    },
  })
  return {
    change: (change: Change) => mutate(change),
    error,
    /** Returns a mapping after the changes that are made already. */
    findMapping: (id: string) =>
      queries.getQueryData(queryKey)?.mappings.find((mapping) => mapping.id === id),
  }
}
