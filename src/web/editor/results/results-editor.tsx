import { ArrowRight } from 'lucide-react'
import { useRef } from 'react'
import { basicPublishErrors } from '#domain/publish-check.ts'
import { isSondage } from '#domain/quiz.ts'
import { namesAtEnd } from '#domain/text-check.ts'
import { tieErrors } from '#domain/tie-question.ts'
import { LIMITS, MINIMUM_RESULTS } from '#domain/vocabulary.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { EditorFrame } from '#web/editor/editor-frame.tsx'
import { missingForOdds } from '#web/editor/odds/missing-for-odds.ts'
import { TieRate } from '#web/editor/odds/tie-rate.tsx'
import { pageFieldId } from '#web/editor/publish-targets.ts'
import { undoToast, useUndoToast } from '#web/editor/undo-toast.tsx'
import { useEditing } from '#web/editor/use-editing.ts'
import { usePageFields } from '#web/editor/use-page-fields.ts'
import { POLL_MS } from '#web/editor/use-publishing.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { AddResult } from './add-result.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { ResultsList } from './results-list.tsx'
import { TieRules } from './tie-rules.tsx'
import { useResults } from './use-results.ts'

/** The results of one quiz, edited in place and saved as they change. */
export const ResultsEditor = ({ session }: { session: DraftSession }) => {
  const addField = useRef<HTMLInputElement>(null)
  const editing = useEditing(session, { poll_ms: POLL_MS.results })
  const { quiz, undoing } = editing
  const { draft } = editing.view
  const { results } = draft
  const { change, adding } = useResults(session)
  const changePage = usePageFields(session)
  const toast = useUndoToast(results)

  return (
    <EditorFrame
      editing={editing}
      step="results"
      publishErrors={[...basicPublishErrors(draft), ...tieErrors(draft)]}
      toasts={undoToast(toast, undoing.undo)}
    >
      <HowItWorks quiz={quiz} />
      <AddResult field={addField} room={LIMITS.results - results.length} adding={adding} />
      {results.length > 0 && (
        <div className="flex flex-wrap gap-x-6">
          <Switch
            id={pageFieldId('shows_detail')}
            label={
              draft.quiz_mode === 'profils'
                ? 'Montrer le détail des profils'
                : 'Montrer le détail du score'
            }
            checked={quiz.shows_detail}
            onChange={({ currentTarget }) => changePage({ shows_detail: currentTarget.checked })}
          />
          <Switch
            id={pageFieldId('allows_restart')}
            label="Permettre de recommencer"
            checked={quiz.allows_restart}
            onChange={({ currentTarget }) => changePage({ allows_restart: currentTarget.checked })}
          />
        </div>
      )}
      <ResultsList
        results={results}
        insertable={() => namesAtEnd(draft)}
        change={change}
        announce={toast.announce}
        focusAdd={() => addField.current?.focus()}
      />
      {!isSondage(quiz) && draft.quiz_mode === 'profils' && (
        <TieRules
          draft={draft}
          change={changePage}
          rate={missingForOdds(draft) === undefined && <TieRate draft={draft} />}
        />
      )}
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
