import type { QueryClient } from '@tanstack/react-query'
import { RefusedCall } from '#contract/client/client.ts'
import { openDraftSession } from './open-draft-session.ts'
import { findUnsavedEdits } from './unsaved-edits.ts'

/**
 * Saves the edits of all quizzes that earlier visits could not store. Conflicts with another author are shown
 * when that quiz is opened.
 */
export const resumeUnsavedEdits = async (queryClient: QueryClient): Promise<void> => {
  const quiz_ids = new Set(findUnsavedEdits().map(({ quiz_id }) => quiz_id))
  for (const quiz_id of quiz_ids)
    try {
      await openDraftSession(quiz_id, queryClient)
    } catch (error) {
      // The quiz was deleted or belongs to another account. Its edits stay on this device until they expire.
      const isMissing = error instanceof RefusedCall && error.status === 404
      if (!isMissing) console.warn('Edits of an earlier visit are still kept', error)
    }
}
