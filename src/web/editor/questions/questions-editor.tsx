import { ArrowRight } from 'lucide-react'
import { useMemo } from 'react'
import { showsAssociations, showsScores } from '#domain/mode.ts'
import { publishErrors } from '#domain/publish-check.ts'
import { isSondage } from '#domain/quiz.ts'
import { worstSaveState } from '#web/editor/autosave.ts'
import { EditorFrame } from '#web/editor/editor-frame.tsx'
import type { QuizDetail } from '#web/editor/editor-gate.tsx'
import { QuizNameField } from '#web/editor/quiz-name-field.tsx'
import { UndoButtons } from '#web/editor/undo-buttons.tsx'
import { UndoToast, useUndoToast } from '#web/editor/undo-toast.tsx'
import { UnpublishedBadge } from '#web/editor/unpublished-badge.tsx'
import { POLL_MS, usePublishing } from '#web/editor/use-publishing.ts'
import { useQuizName } from '#web/editor/use-quiz-name.ts'
import { useSaveKey } from '#web/editor/use-save-key.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { AddMenu } from './add-menu.tsx'
import type { Scoring } from './answer-row.tsx'
import { ModeBanner } from './mode-banner.tsx'
import { PageList } from './page-list.tsx'
import { withThresholds } from './questions-draft.ts'
import { ThresholdsPanel } from './thresholds-panel.tsx'
import { useGestures } from './use-gestures.ts'
import { type UnifiedContent, useQuestions } from './use-questions.ts'

/** The questions, text blocks and tiers of one quiz, edited in place and saved as they change. */
export const QuestionsEditor = ({
  detail: { quiz },
  unified,
}: {
  detail: QuizDetail
  unified: UnifiedContent
}) => {
  const { results } = unified
  const publishing = usePublishing(quiz, { poll_ms: POLL_MS.questions })
  const { isPublishing: is_paused } = publishing
  const quizName = useQuizName(quiz, { is_paused })
  const { draft, change, undoing, state, flush } = useQuestions(quiz.id, unified, { is_paused })
  const toast = useUndoToast(draft)
  const { announce } = toast
  const gestures = useGestures(quiz.id, { draft, change, announce })
  const { quiz_mode } = draft
  // A sondage computes no result, so there is nothing to score.
  const hasResults = !isSondage(quiz)
  const scoring = useMemo<Scoring>(
    () => ({
      hasScores: hasResults && showsScores(quiz_mode),
      hasAssociations: hasResults && showsAssociations(quiz_mode),
      results,
    }),
    [hasResults, quiz_mode, results],
  )

  const saveAll = async (): Promise<void> => {
    await Promise.all([quizName.flush(), flush()])
  }
  useSaveKey(saveAll)

  return (
    <EditorFrame
      quiz={quiz}
      step="questions"
      result_count={results.length}
      question_count={draft.questions.length}
      saveState={worstSaveState(quizName.state, state)}
      publishErrors={publishErrors({
        quiz,
        quiz_mode,
        questions: draft.questions,
        results: withThresholds(results, draft.score_thresholds),
      })}
      publishing={publishing}
      flush={saveAll}
    >
      <QuizNameField quiz={quiz} quizName={quizName}>
        <UnpublishedBadge quiz={quiz} hasChanges={publishing.hasChanges} />
        <UndoButtons undoing={undoing} />
      </QuizNameField>
      {hasResults && (
        <ModeBanner
          mode={quiz_mode}
          onReset={() => {
            change({ type: 'mode_reset' })
            announce('Mode réinitialisé')
          }}
        />
      )}
      {hasResults && quiz_mode === 'score' && (
        <ThresholdsPanel results={results} thresholds={draft.score_thresholds} change={change} />
      )}
      <PageList
        draft={draft}
        scoring={scoring}
        gestures={gestures}
        change={change}
        announce={announce}
      />
      <ButtonLink
        to={`/quiz/${quiz.id}/settings`}
        variant="primary"
        icon={<ArrowRight aria-hidden="true" />}
        className="mb-16 self-end"
      >
        Continuer vers les paramètres
      </ButtonLink>
      <UndoToast toast={toast} onUndo={undoing.undo} />
      <AddMenu
        full={gestures.full}
        onQuestion={gestures.addQuestion}
        onTextBlock={gestures.addTextBlock}
        onPage={gestures.addPage}
      />
    </EditorFrame>
  )
}
