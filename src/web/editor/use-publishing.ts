import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RefusedCall } from '#contract/client.ts'
import { isPublished, type Quiz } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'
import { hasChangesQuery } from '#web/api/queries.ts'
import { useEditorCache } from './editor-cache.ts'

/** Spec §9 « Has-changes poll »; the questions screen asks on focus and after each save alone. */
export const POLL_MS = { results: 5_000, questions: 0, settings: 10_000 } as const

/** Why the last publication did not happen: the server's reasons, or something that went wrong. */
export type PublishFailure = { validation_errors: string[]; message: string | null }

export type Publishing = {
  hasChanges: boolean
  /** True from the click to the end; autosaves are paused meanwhile. */
  isPublishing: boolean
  failure: PublishFailure | null
  forgetFailure: () => void
  /** Stores pending edits with `flush`, then publishes; true when it is done. */
  publish: (flush: () => Promise<void>) => Promise<boolean>
}

const DEFAULT_MESSAGE = 'Une erreur est survenue lors de la publication du quiz.'

const failureOf = (error: unknown): PublishFailure => {
  if (!(error instanceof RefusedCall)) return { validation_errors: [], message: DEFAULT_MESSAGE }
  const { validation_errors, message } = error
  return validation_errors.length > 0
    ? { validation_errors, message: null }
    : { validation_errors, message: message || DEFAULT_MESSAGE }
}

/** The publication of one quiz as an editor screen sees it (spec §4, §8 « Publish failure »). */
export const usePublishing = (
  quiz: Pick<Quiz, 'id' | 'status'>,
  { poll_ms, onPublished }: { poll_ms: number; onPublished?: (quiz: Quiz) => void },
): Publishing => {
  const cache = useEditorCache(quiz.id)
  const [isPublishing, setPublishing] = useState(false)
  const [failure, setFailure] = useState<PublishFailure | null>(null)
  const { data } = useQuery({ ...hasChangesQuery(quiz.id, poll_ms), enabled: isPublished(quiz) })

  const publish = async (flush: () => Promise<void>): Promise<boolean> => {
    setPublishing(true)
    setFailure(null)
    try {
      await flush()
      const answer = await client.quizzes.publish({ id: quiz.id })
      cache.published(answer.quiz)
      onPublished?.(answer.quiz)
      return true
    } catch (error) {
      setFailure(failureOf(error))
      return false
    } finally {
      setPublishing(false)
    }
  }

  return {
    hasChanges: data?.has_unpublished_changes ?? false,
    isPublishing,
    failure,
    forgetFailure: () => setFailure(null),
    publish,
  }
}
