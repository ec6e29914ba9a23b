import { ArrowRight } from 'lucide-react'
import { useRef } from 'react'
import { basicPublishErrors } from '#domain/publish-check.ts'
import { isSondage } from '#domain/quiz.ts'
import { LIMITS, MINIMUM_RESULTS } from '#domain/vocabulary.ts'
import { worstSaveState } from '#web/editor/autosave.ts'
import { EditorFrame } from '#web/editor/editor-frame.tsx'
import type { QuizDetail } from '#web/editor/editor-gate.tsx'
import { QuizNameField } from '#web/editor/quiz-name-field.tsx'
import { UndoButtons } from '#web/editor/undo-buttons.tsx'
import { UndoToast, useUndoToast } from '#web/editor/undo-toast.tsx'
import { POLL_MS, usePublishing } from '#web/editor/use-publishing.ts'
import { useQuizName } from '#web/editor/use-quiz-name.ts'
import { useSaveKey } from '#web/editor/use-save-key.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { AddResult } from './add-result.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { ResultsList } from './results-list.tsx'
import { useResults } from './use-results.ts'

/** The results of one quiz, edited in place and saved as they change. */
export const ResultsEditor = ({
  detail: { quiz, questions, results: loaded },
}: {
  detail: QuizDetail
}) => {
  const addField = useRef<HTMLInputElement>(null)
  const publishing = usePublishing(quiz, { poll_ms: POLL_MS.results })
  const { isPublishing: is_paused } = publishing
  const quizName = useQuizName(quiz, { is_paused })
  const { results, change, add, undoing, state, flush } = useResults(quiz.id, loaded, { is_paused })
  const toast = useUndoToast(results)

  const saveAll = async (): Promise<void> => {
    await Promise.all([quizName.flush(), flush()])
  }
  useSaveKey(saveAll)

  return (
    <EditorFrame
      quiz={quiz}
      step="results"
      result_count={results.length}
      question_count={questions.length}
      saveState={worstSaveState(quizName.state, state)}
      publishErrors={basicPublishErrors({ quiz, questions, results })}
      publishing={publishing}
      flush={saveAll}
    >
      <QuizNameField quiz={quiz} quizName={quizName}>
        <UndoButtons undoing={undoing} />
      </QuizNameField>
      <HowItWorks quiz={quiz} />
      <AddResult field={addField} room={LIMITS.results - results.length} onAdd={add} />
      <ResultsList
        results={results}
        change={change}
        announce={toast.announce}
        focusAdd={() => addField.current?.focus()}
      />
      <UndoToast toast={toast} onUndo={undoing.undo} />
      {(results.length >= MINIMUM_RESULTS || isSondage(quiz)) && (
        <ButtonLink
          to={`/quiz/${quiz.id}/questions`}
          variant="primary"
          icon={<ArrowRight aria-hidden="true" />}
          className="self-end"
        >
          Continuer vers les questions
        </ButtonLink>
      )}
    </EditorFrame>
  )
}
