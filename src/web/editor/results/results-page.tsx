import { ArrowRight } from 'lucide-react'
import { Suspense, useDeferredValue, useMemo, useRef } from 'react'
import { LIMITS, MIN_RESULTS } from '#domain/common/vocabulary.ts'
import { basicPublishErrors, tieErrors } from '#domain/publishing/publish-check.ts'
import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { usePageFields } from '#web/editor/draft/use-draft.ts'
import { useInsertions } from '#web/editor/draft/use-insertions.ts'
import { useAllPublishErrors } from '#web/editor/draft/use-publish-errors.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { EditorAside } from '#web/editor/frame/editor-aside.tsx'
import { EditorFrame } from '#web/editor/frame/editor-frame.tsx'
import { EditorGate } from '#web/editor/frame/editor-gate.tsx'
import { useEditorState } from '#web/editor/frame/use-editor-state.ts'
import { POLL_MS } from '#web/editor/publishing/use-publishing.ts'
import { undoToast, useUndoToast } from '#web/editor/undo/undo-toasts.ts'
import { missingForOdds } from '#web/odds/odds-labels.ts'
import { useOdds } from '#web/odds/use-odds.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { InfoBox } from '#web/ui/feedback/info-box.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { Switch } from '#web/ui/form/choice-controls.tsx'
import { InsertionsContext } from '#web/ui/rich-text/rich-text-field.tsx'
import { useMedia, WIDE } from '#web/ui/use-media.ts'
import { AddResult } from './add-result.tsx'
import { ResultsList } from './results-list.tsx'
import { TieRate, TieRules } from './tie-rules.tsx'
import { useEditedResult, useResults } from './use-results.ts'

const DimensionsCard = lazyPart(
  () => import('./dimensions/dimensions-card.tsx'),
  'Les dimensions n’ont pas pu être chargées.',
)

const CorrectionsCard = lazyPart(
  () => import('./corrections/corrections-card.tsx'),
  'Les corrections n’ont pas pu être chargées.',
)

const ConditionalTexts = lazyPart(
  () => import('./conditional-texts/conditional-texts.tsx'),
  'Les textes conditionnels n’ont pas pu être chargés.',
)

const ReportCard = lazyPart(
  () => import('./report/report-card.tsx'),
  'Le rapport et l’attestation n’ont pas pu être chargés.',
)

/** Shows step 1 of a quiz (product 7.9). */
const ResultsPage = () => (
  <EditorGate has_aside>{(session) => <ResultsEditor session={session} />}</EditorGate>
)

export default ResultsPage

/** Shows the editor of the results, which are edited in place and saved as they change. */
const ResultsEditor = ({ session }: { session: DraftSession }) => {
  const addField = useRef<HTMLInputElement>(null)
  const editing = useEditorState(session, { poll_ms: POLL_MS.results })
  const { quiz, undoing } = editing
  const { draft } = editing.view
  const { results } = draft
  const { change, adding } = useResults(session)
  const changePage = usePageFields(session)
  const toast = useUndoToast(draft)
  const isWide = useMedia(WIDE)
  const shown = useDeferredValue(draft)
  const hasOdds = missingForOdds(shown) === undefined && !isSondage(quiz)
  const hasTies = !isSondage(quiz) && draft.quiz_mode === 'profils'
  const odds = useOdds(hasOdds && (isWide || hasTies) ? shown : null)
  const edited = useEditedResult(results)
  const example = odds.report?.odds.results.find(({ id }) => id === edited)?.example ?? undefined
  const place = useMemo(
    () => (edited === undefined || isSondage(quiz) ? undefined : { result_id: edited, example }),
    [edited, example, quiz],
  )
  const listInsertions = useInsertions(session, toast)
  // Errors of other texts are fixed on the questions screen.
  const stepErrors = [...basicPublishErrors(draft), ...tieErrors(draft)]
  const points = useAllPublishErrors(draft, stepErrors)
  const ofThisStep = points.filter(
    ({ dimension_id, text_variant_id, field }) =>
      dimension_id ??
      text_variant_id ??
      (field === 'shows_corrections' || field?.startsWith('certificate_')),
  )

  return (
    <EditorFrame
      editing={editing}
      step="results"
      publishErrors={[...stepErrors, ...ofThisStep]}
      points={points}
      toasts={undoToast(toast, undoing.undo)}
      {...(place && { place })}
      aside={
        isWide &&
        !isSondage(quiz) && (
          <EditorAside
            label="Aperçu du résultat"
            draft={shown}
            place={place}
            empty_text="Le résultat s’affichera ici dès que vous l’aurez créé."
            isTall
          />
        )
      }
    >
      <HowItWorks quiz={quiz} />
      <AddResult field={addField} max_items={LIMITS.results - results.length} adding={adding} />
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
      <InsertionsContext value={listInsertions}>
        <ResultsList
          results={results}
          change={change}
          announce={toast.announce}
          focusAdd={() => addField.current?.focus()}
        />
        {hasTies && (
          <TieRules
            draft={draft}
            change={changePage}
            rate={hasOdds && <TieRate tie_rule={quiz.tie_rule} odds={odds} />}
          />
        )}
        {!isSondage(quiz) && (
          <Suspense fallback={<div className="h-32" />}>
            <DimensionsCard
              draft={draft}
              session={session}
              changePage={changePage}
              announce={toast.announce}
            />
          </Suspense>
        )}
        {!isSondage(quiz) && (
          <Suspense fallback={<div className="h-32" />}>
            <CorrectionsCard
              draft={draft}
              session={session}
              changePage={changePage}
              announce={toast.announce}
            />
          </Suspense>
        )}
        {results.length > 0 && !isSondage(quiz) && (
          <Suspense fallback={<div className="h-40" />}>
            <ConditionalTexts session={session} errors={ofThisStep} announce={toast.announce} />
          </Suspense>
        )}
        <Suspense fallback={<div className="h-40" />}>
          <ReportCard session={session} errors={ofThisStep} changePage={changePage} />
        </Suspense>
      </InsertionsContext>
      {(results.length >= MIN_RESULTS || isSondage(quiz)) && (
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

/** Shows the info box of the results screen (product 7.9). */
const HowItWorks = ({ quiz }: { quiz: Pick<Quiz, 'type' | 'tie_rule'> }) => (
  <InfoBox id={`results-${quiz.type}`} title="Comment ça marche ?">
    {isSondage(quiz)
      ? 'Un sondage ne calcule aucun résultat : cette étape est facultative.'
      : `Créez au moins 2 résultats : ce sont les fins possibles du quiz. Vous leur associerez ensuite vos réponses, par des scores ou par des profils.${quiz.tie_rule === 'priority' ? ' En cas d’égalité, le plus haut de la liste l’emporte.' : ''}`}
  </InfoBox>
)
