import { useCallback } from 'react'
import type { QuizMode } from '#domain/common/vocabulary.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { AUTOSAVE_KINDS } from '#web/editor/draft/use-draft.ts'
import { useKeepInPlace } from '#web/editor/fields/scrolling.ts'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { useLatest } from '#web/ui/use-latest.ts'
import { questionsAnnouncement } from './announcements.ts'
import { useFocusAfterAction } from './focus-after-action.ts'
import { type QuestionsAction, questionsReducer } from './questions-reducer.ts'
import { questionsUndoGroupKey } from './questions-undo-group-key.ts'

/** Function that applies an action of the questions screen to the draft. */
export type ChangeQuestions = (action: QuestionsAction) => void

const MODE_CHOSEN_TEXTS: Record<NonNullable<QuizMode>, string> = {
  score: 'Ce premier score choisit le mode score',
  profils: 'Cette première association choisit le mode profils',
}

/** Actions that may set the calculation mode. */
const MODE_SETTING_ACTIONS: ReadonlySet<QuestionsAction['type']> = new Set([
  'answer_scored',
  'answer_associated',
  'all_answers_associated',
])
const maySetMode = (action: QuestionsAction): boolean =>
  MODE_SETTING_ACTIONS.has(action.type) ||
  (action.type === 'question_options_set' && action.options.counts_in_score === true)

/**
 * Returns a function that applies actions to the draft, moves the focus and announces the change. An action
 * that sets the calculation mode shows a toast, and its field keeps its position on screen.
 */
export const useChangeQuestions = (
  session: DraftSession,
  { announce }: { announce: (text: string) => void },
): ChangeQuestions => {
  const latest = useLatest(announce)
  const moveFocus = useFocusAfterAction()
  const keepInPlace = useKeepInPlace()
  return useCallback(
    (action) => {
      const before = session.view().draft
      if (!before.quiz_mode && maySetMode(action)) keepInPlace()
      session.change((draft) => questionsReducer(draft, action), {
        undoGroupKey: questionsUndoGroupKey(action),
        ...AUTOSAVE_KINDS.questions,
      })
      const after = session.view().draft
      if (after === before) return
      moveFocus(before, action)
      const announcement = questionsAnnouncement(after, action)
      if (announcement) announceToScreenReader(announcement)
      if (!before.quiz_mode && after.quiz_mode) latest.current(MODE_CHOSEN_TEXTS[after.quiz_mode])
    },
    [session, latest, moveFocus, keepInPlace],
  )
}
