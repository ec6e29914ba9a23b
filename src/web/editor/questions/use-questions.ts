import { useEffect } from 'react'
import type { Answer } from '#contract/endpoint.ts'
import type { questions } from '#contract/questions.ts'
import { client } from '#web/api/client.ts'
import { useEditorCache } from '#web/editor/editor-cache.ts'
import { type Autosaving, useAutosave } from '#web/editor/use-autosave.ts'
import { type Undoing, useHistory } from '#web/editor/use-history.ts'
import {
  openDraft,
  type QuestionsAction,
  type QuestionsDraft,
  questionsBurst,
  questionsReducer,
  savedDraft,
} from './questions-draft.ts'

/** Spec §9 « Autosave delay: questions, text blocks, thresholds » and « held off after initial load ». */
const QUESTIONS_DELAY_MS = 1_500
const HOLD_MS = 1_000

export type ChangeQuestions = (action: QuestionsAction) => void
export type UnifiedContent = Answer<typeof questions.unified>
type Questions = Autosaving & {
  draft: QuestionsDraft
  change: ChangeQuestions
  undoing: Undoing
}

/** The questions while they are edited: this draft is the state of record, stored whole as it changes. */
export const useQuestions = (
  quiz_id: string,
  loaded: UnifiedContent,
  { is_paused }: { is_paused: boolean },
): Questions => {
  const cache = useEditorCache(quiz_id)
  const {
    state: draft,
    change,
    undoing,
  } = useHistory(questionsReducer, () => openDraft(loaded), questionsBurst)

  const store = async (body: ReturnType<typeof savedDraft>): Promise<void> => {
    const { quiz_mode } = await client.questions.saveDraft({ id: quiz_id, body })
    // A save never clears a mode that was set: that takes the reset call.
    if (quiz_mode && !body.quiz_mode) await client.quizzes.resetMode({ id: quiz_id })
    cache.contentChanged(draft)
    cache.draftStored()
  }

  const autosaving = useAutosave({
    key: `${quiz_id}/questions`,
    value: savedDraft(draft),
    save: store,
    delay_ms: QUESTIONS_DELAY_MS,
    hold_ms: HOLD_MS,
    is_paused,
  })

  useEffect(() => cache.contentChanged(draft), [cache, draft])

  return { ...autosaving, draft, change, undoing }
}
