import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { RefusedCall } from '#contract/client/client.ts'
import { isPublished, type Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { hasChangesQuery, quizQuery, quizzesQuery } from '#web/api/queries.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'

/** Interval of the has-changes poll (product 6.5); 0 means only on focus and after saves. */
export const POLL_MS = { results: 5_000, questions: 0, settings: 10_000 } as const

/** Reason of the last failed publication: the server's validation errors, or another message. */
export type PublishFailure = { validation_errors: string[]; message: string | null }

/** Publication state of one quiz. */
export type Publishing = {
  hasChanges: boolean
  /** True during a publication, which pauses autosaves. */
  isPublishing: boolean
  failure: PublishFailure | null
  forgetFailure: () => void
  /** Stores pending edits and publishes; resolves to true on success. */
  publish: () => Promise<boolean>
}

const DEFAULT_MESSAGE = 'Une erreur est survenue lors de la publication du quiz.'

const failureOf = (error: unknown): PublishFailure => {
  if (!(error instanceof RefusedCall)) return { validation_errors: [], message: DEFAULT_MESSAGE }
  const { validation_errors, message } = error
  return validation_errors.length > 0
    ? { validation_errors, message: null }
    : { validation_errors, message: message || DEFAULT_MESSAGE }
}

/** Returns the publication state of one quiz for an editor screen (product 6.5, 6.8). */
export const usePublishing = (
  session: DraftSession,
  { quiz, poll_ms }: { quiz: Pick<Quiz, 'id' | 'status'>; poll_ms: number },
): Publishing => {
  const { id } = quiz
  const queryClient = useQueryClient()
  const [isPublishing, setPublishing] = useState(false)
  const [failure, setFailure] = useState<PublishFailure | null>(null)
  const isPublic = isPublished(quiz)
  const { data, refetch } = useQuery(
    hasChangesQuery(id, { every_ms: poll_ms, isPublished: isPublic }),
  )

  // Reloads the draft when another author or device has stored a newer revision.
  const revision = data?.revision ?? 0
  useEffect(() => {
    if (revision <= session.revision()) return
    session.refresh().catch((error: unknown) => console.warn('Refreshing failed', error))
  }, [session, revision])

  // Asks on focus and on visibility, because a window can stay visible without the focus, or be shown without it.
  // The draft itself is loaded again only if the answer names a newer revision (product 5.7).
  useEffect(() => {
    if (!isPublic) return
    const askWhenVisible = (): void => {
      if (document.visibilityState === 'visible') void refetch({ cancelRefetch: false })
    }
    window.addEventListener('focus', askWhenVisible)
    document.addEventListener('visibilitychange', askWhenVisible)
    return () => {
      window.removeEventListener('focus', askWhenVisible)
      document.removeEventListener('visibilitychange', askWhenVisible)
    }
  }, [isPublic, refetch])

  const publish = async (): Promise<boolean> => {
    setPublishing(true)
    setFailure(null)
    try {
      await session.flush()
      const answer = await client.quizzes.publish({ id })
      session.updateServerFields(answer.quiz)
      queryClient.setQueryData(hasChangesQuery(id).queryKey, {
        revision: session.revision(),
        has_unpublished_changes: false,
      })
      // Reloads all cached data of the quiz (product 6.7).
      void queryClient.invalidateQueries({ queryKey: hasChangesQuery(id).queryKey })
      void queryClient.invalidateQueries({ queryKey: quizQuery(id).queryKey, exact: true })
      void queryClient.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true })
      return true
    } catch (error) {
      setFailure(failureOf(error))
      return false
    } finally {
      setPublishing(false)
    }
  }

  // An edit that the poll has not seen yet also counts, so that it can be published at once.
  const isChanged = revision < session.contentRevision() || data?.has_unpublished_changes === true
  return {
    hasChanges: isPublic && (isChanged || session.hasUnsavedContent()),
    isPublishing,
    failure,
    forgetFailure: () => setFailure(null),
    publish,
  }
}
