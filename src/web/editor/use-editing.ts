import { useEffect } from 'react'
import { isBlankText } from '#domain/blank-text.ts'
import type { Quiz } from '#domain/quiz.ts'
import { useCommandKey } from '#web/ui/use-command-key.ts'
import type { DraftSession, DraftView } from './draft/draft-session.ts'
import { SAVING, useDraft } from './draft/use-draft.ts'
import { type Publishing, usePublishing } from './use-publishing.ts'
import { type Undoing, useUndoing } from './use-undoing.ts'

export type Editing = {
  session: DraftSession
  view: DraftView
  /** The quiz with its stored name while the typed one is blank. */
  quiz: Quiz
  publishing: Publishing
  undoing: Undoing
  rename: (name: string) => void
}

/** The editing state common to the three steps: draft, autosave, undo, publication (spec §4). */
export const useEditing = (session: DraftSession, { poll_ms }: { poll_ms: number }): Editing => {
  const view = useDraft(session)
  const { quiz } = view.draft
  const publishing = usePublishing(session, {
    quiz,
    poll_ms,
    hasUnsaved: view.save_state !== 'saved',
  })
  const { isPublishing } = publishing
  useEffect(() => {
    session.pause(isPublishing)
    return () => session.pause(false)
  }, [session, isPublishing])
  useCommandKey('s', () => {
    // The header shows a failure like any other.
    session.flush().catch((error: unknown) => console.warn('Saving now failed', error))
  })
  const undoing = useUndoing(session, view)
  return {
    session,
    view,
    quiz: isBlankText(quiz.name) ? { ...quiz, name: session.storedName() } : quiz,
    publishing,
    undoing,
    rename: (name) =>
      session.change((draft) => ({ ...draft, quiz: { ...draft.quiz, name } }), {
        burst: 'name',
        ...SAVING.name,
      }),
  }
}
