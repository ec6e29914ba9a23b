import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { KEPT_PREFIX } from '#web/editor/draft/kept-prefix.ts'
import { useSession } from '#web/session/session.tsx'

/** After sign-in, saves the edits that an earlier visit could not (docs/decisions/012). */
export const useKeptEdits = (): void => {
  const queryClient = useQueryClient()
  const { user } = useSession()
  const isSignedIn = user !== null
  useEffect(() => {
    // The code for it is only loaded when there are edits to save.
    if (!isSignedIn || !Object.keys(localStorage).some((key) => key.startsWith(KEPT_PREFIX))) return
    import('#web/editor/draft/resume-edits.ts')
      .then(({ resumeEdits }) => resumeEdits(queryClient))
      .catch((error: unknown) => console.warn('Edits of an earlier visit are still kept', error))
  }, [isSignedIn, queryClient])
}
