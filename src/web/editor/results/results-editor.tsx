import { ArrowRight } from 'lucide-react'
import { useRef } from 'react'
import { basicPublishErrors } from '#domain/publish-check.ts'
import { isSondage } from '#domain/quiz.ts'
import { namesAtEnd } from '#domain/text-check.ts'
import { LIMITS, MINIMUM_RESULTS } from '#domain/vocabulary.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { EditorFrame } from '#web/editor/editor-frame.tsx'
import { undoToast, useUndoToast } from '#web/editor/undo-toast.tsx'
import { useEditing } from '#web/editor/use-editing.ts'
import { POLL_MS } from '#web/editor/use-publishing.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { AddResult } from './add-result.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { ResultsList } from './results-list.tsx'
import { useResults } from './use-results.ts'

/** The results of one quiz, edited in place and saved as they change. */
export const ResultsEditor = ({ session }: { session: DraftSession }) => {
  const addField = useRef<HTMLInputElement>(null)
  const editing = useEditing(session, { poll_ms: POLL_MS.results })
  const { quiz, undoing } = editing
  const { draft } = editing.view
  const { results } = draft
  const { change, adding } = useResults(session)
  const toast = useUndoToast(results)

  return (
    <EditorFrame
      editing={editing}
      step="results"
      publishErrors={basicPublishErrors(draft)}
      toasts={undoToast(toast, undoing.undo)}
    >
      <HowItWorks quiz={quiz} />
      <AddResult field={addField} room={LIMITS.results - results.length} adding={adding} />
      <ResultsList
        results={results}
        insertable={() => namesAtEnd(draft)}
        change={change}
        announce={toast.announce}
        focusAdd={() => addField.current?.focus()}
      />
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
