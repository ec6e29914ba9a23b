import type { QueryClient } from '@tanstack/react-query'
import { RefusedCall } from '#contract/client.ts'
import { findKept } from './kept-edits.ts'
import { openDraftSession } from './open-draft-session.ts'

/**
 * Stores what earlier visits could not, whichever quiz it belongs to. What somebody else has written
 * otherwise meanwhile is asked once that quiz is opened.
 */
export const resumeEdits = async (queryClient: QueryClient): Promise<void> => {
  const quiz_ids = new Set(findKept().map(({ quiz_id }) => quiz_id))
  for (const quiz_id of quiz_ids)
    try {
      await openDraftSession(quiz_id, queryClient)
    } catch (error) {
      // Another account's, or deleted: kept for whoever it belongs to, for a while.
      const isMissing = error instanceof RefusedCall && error.status === 404
      if (!isMissing) console.warn('Edits of an earlier visit are still kept', error)
    }
}
