import { useEffect } from 'react'
import { isBlankText } from '#domain/common/text.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import type { DraftSession, DraftView } from '#web/editor/draft/draft-session.ts'
import { AUTOSAVE_KINDS, useDraft } from '#web/editor/draft/use-draft.ts'
import { type Publishing, usePublishing } from '#web/editor/publishing/use-publishing.ts'
import { type UndoControls, useUndoControls } from '#web/editor/undo/use-undo-controls.ts'
import { useCommandKey } from '#web/ui/keyboard-shortcuts.ts'

/** Editing state common to the three steps. */
export type EditorState = {
  session: DraftSession
  view: DraftView
  /** Quiz with its stored name while the typed name is blank. */
  quiz: Quiz
  publishing: Publishing
  undoing: UndoControls
  rename: (name: string) => void
}

/** Returns the editing state common to the three steps: draft, autosave, undo and publication. */
export const useEditorState = (
  session: DraftSession,
  { poll_ms }: { poll_ms: number },
): EditorState => {
  const view = useDraft(session)
  const { quiz } = view.draft
  const publishing = usePublishing(session, { quiz, poll_ms })
  const { isPublishing } = publishing
  useEffect(() => {
    session.pause(isPublishing)
    return () => session.pause(false)
  }, [session, isPublishing])
  useCommandKey('s', () => {
    // The header shows the failure.
    session.flush().catch((error: unknown) => console.warn('Saving now failed', error))
  })
  const undoing = useUndoControls(session, view)
  return {
    session,
    view,
    quiz: isBlankText(quiz.name) ? { ...quiz, name: session.storedName() } : quiz,
    publishing,
    undoing,
    rename: (name) =>
      session.change((draft) => ({ ...draft, quiz: { ...draft.quiz, name } }), {
        undoGroupKey: 'name',
        ...AUTOSAVE_KINDS.name,
      }),
  }
}
