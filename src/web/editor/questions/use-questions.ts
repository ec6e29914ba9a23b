import { useCallback } from 'react'
import type { QuizMode } from '#domain/vocabulary.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { SAVING } from '#web/editor/draft/use-draft.ts'
import { useLatest } from '#web/editor/use-latest.ts'
import { useFocusAfter } from './focus-after.ts'
import { type QuestionsAction, questionsBurst, questionsReducer } from './questions-draft.ts'

export type ChangeQuestions = (action: QuestionsAction) => void

const CHOSEN: Record<NonNullable<QuizMode>, string> = {
  score: 'Ce premier score choisit le mode score',
  profils: 'Cette première association choisit le mode profils',
}

/**
 * Performs the gestures of the questions screen on the draft, then moves the focus. The gesture that chooses
 * the mode announces it with a way back.
 */
export const useQuestions = (
  session: DraftSession,
  { announce }: { announce: (text: string) => void },
): ChangeQuestions => {
  const latest = useLatest(announce)
  const moveFocus = useFocusAfter()
  return useCallback(
    (action) => {
      const before = session.view().draft
      session.change((draft) => questionsReducer(draft, action), {
        burst: questionsBurst(action),
        ...SAVING.questions,
      })
      const after = session.view().draft
      if (after !== before) moveFocus(before, action)
      if (!before.quiz_mode && after.quiz_mode) latest.current(CHOSEN[after.quiz_mode])
    },
    [session, latest, moveFocus],
  )
}
