import { useCallback } from 'react'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { QUESTIONS_DELAY_MS } from '#web/editor/draft/use-draft.ts'
import { type QuestionsAction, questionsBurst, questionsReducer } from './questions-draft.ts'

export type ChangeQuestions = (action: QuestionsAction) => void

/** Performs the gestures of the questions screen on the draft. */
export const useQuestions = (session: DraftSession): ChangeQuestions =>
  useCallback(
    (action) =>
      session.change((draft) => questionsReducer(draft, action), {
        burst: questionsBurst(action),
        delay_ms: QUESTIONS_DELAY_MS,
      }),
    [session],
  )
