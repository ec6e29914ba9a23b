import { ArrowRight } from 'lucide-react'
import {
  type ComponentType,
  lazy,
  Suspense,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { publishErrors } from '#domain/publishing/publish-check.ts'
import { findUnreachablePages } from '#domain/publishing/reachability.ts'
import { labelsBefore } from '#domain/publishing/text-check.ts'
import { showsAssociations, showsScores } from '#domain/questionnaire/mode.ts'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import { reachableTotals } from '#domain/run/reachable-totals.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { usePageFields } from '#web/editor/draft/use-draft.ts'
import { pageOverviews } from '#web/editor/fields/item-positions.ts'
import { EditorFrame } from '#web/editor/frame/editor-frame.tsx'
import { useEditorState } from '#web/editor/frame/use-editor-state.ts'
import { POLL_MS } from '#web/editor/publishing/use-publishing.ts'
import { undoToast, useUndoToast } from '#web/editor/undo/undo-toasts.tsx'
import { END, WELCOME } from '#web/preview/preview-path.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { useMedia, WIDE } from '#web/ui/use-media.ts'
import type { Scoring } from './answers/answer-row.tsx'
import { PageExcerptsContext, pageExcerpts, pageJumps } from './draft/page-jumps.ts'
import { useContentActions } from './draft/use-content-actions.ts'
import { useQuestions } from './draft/use-questions.ts'
import {
  problemOfWelcomeOrEnd,
  problemsByItem,
  useStableValue,
} from './draft/use-questions-checks.ts'
import { AddMenu } from './items/add-menu.tsx'
import { WelcomeAndEndCard } from './items/welcome-and-end-card.tsx'
import { PageList } from './pages/page-list.tsx'
import { usePageActions } from './pages/page-menu.tsx'
import { PageOutline } from './pages/page-outline.tsx'
import type { PreviewProps } from './preview/live-preview.tsx'
import { ModeLine, UnpublishedBadge } from './scoring/mode-line.tsx'
import { ThresholdsPanel } from './scoring/thresholds-panel.tsx'

const NO_RESULTS: Scoring['results'] = []

/** Loaded after the questions; they are edited without it when loading fails. */
const LivePreview = lazy(
  (): Promise<{ default: ComponentType<PreviewProps> }> =>
    import('./preview/live-preview.tsx')
      .then((part) => ({ default: part.LivePreview }))
      // Apart, so that it hears of styles that fail too: the bundler loads them before this import.
      .catch(() => ({ default: () => null })),
)

const OddsPanel = lazyPart(
  () => import('#web/odds/odds-panel.tsx'),
  'Les chances de chaque résultat n’ont pas pu être chargées.',
)

/** The questions, text blocks and tiers of one quiz, edited in place and saved as they change. */
export const QuestionsEditor = ({ session }: { session: DraftSession }) => {
  const editing = useEditorState(session, { poll_ms: POLL_MS.questions })
  const { quiz, publishing, undoing } = editing
  const { draft } = editing.view
  const { quiz_mode, results } = draft
  const toast = useUndoToast(draft)
  const { announce } = toast
  const change = useQuestions(session, { announce })
  const changePage = usePageFields(session)
  const gestures = useContentActions(quiz.id, { draft, change, announce })
  const pageActions = usePageActions(gestures)
  const pages = useStableValue(useMemo(() => pageOverviews(draft), [draft]))
  // A sondage computes no result, so there is nothing to score.
  const hasResults = !isSondage(quiz)
  const hasAssociations = hasResults && showsAssociations(quiz_mode)
  // Without associations a tier that changes renders no answer again.
  const associated = hasAssociations ? results : NO_RESULTS
  const scoring = useMemo<Scoring>(
    () => ({
      hasScores: hasResults && showsScores(quiz_mode),
      hasAssociations,
      results: associated,
    }),
    [hasResults, quiz_mode, hasAssociations, associated],
  )

  // Deferred, so that typed text is rendered before the checks run.
  const checked = useDeferredValue(draft)
  const errors = useMemo(() => publishErrors(checked), [checked])
  const problems = useMemo(() => problemsByItem(errors), [errors])
  const unreached = useStableValue(useMemo(() => findUnreachablePages(checked), [checked]))
  const { questions } = checked
  const jumps = useStableValue(useMemo(() => pageJumps(questions), [questions]))
  const words = useStableValue(useMemo(() => pageExcerpts(checked), [checked]))
  const reachable = useStableValue(useMemo(() => reachableTotals(questions), [questions]))

  // After the first questions, which do not wait for what pages are dragged by.
  const isOpened = useDeferredValue(true, false)
  const isWide = useMedia(WIDE)
  const place = useEditedPlace(draft.page_count)
  const badge = <UnpublishedBadge quiz={quiz} hasChanges={publishing.hasChanges} />
  const thresholds = hasResults && quiz_mode === 'score' && (
    <ThresholdsPanel results={results} reachable={reachable} change={change} />
  )
  const odds = hasResults && (
    <Suspense
      fallback={
        <div style={{ height: isWide && quiz_mode ? oddsHeight(results.length) : '3rem' }} />
      }
    >
      <OddsPanel draft={checked} isWide={isWide} />
    </Suspense>
  )

  return (
    <EditorFrame
      editing={editing}
      step="questions"
      publishErrors={errors}
      toasts={undoToast(toast, undoing.undo)}
      place={place}
      line={
        hasResults ? (
          <ModeLine
            mode={quiz_mode}
            results={results}
            questions={draft.questions}
            reachable={reachable}
            change={change}
            onReset={() => {
              change({ type: 'mode_reset' })
              announce('Mode réinitialisé')
            }}
            badge={badge}
          />
        ) : (
          <div className="px-4 pt-3 empty:hidden sm:px-5">{badge}</div>
        )
      }
      aside={
        isWide && (
          <aside aria-label="Aperçu et calcul" className="border-l border-line bg-wash">
            <div className="sticky top-14 flex max-h-[calc(100dvh-3.5rem)] flex-col gap-5 overflow-y-auto p-5">
              <Suspense fallback={<div className="h-[30rem] shrink-0" />}>
                <LivePreview draft={checked} place={place} isTall={!(hasResults && quiz_mode)} />
              </Suspense>
              {odds}
              {thresholds && (
                <section aria-labelledby="thresholds" className="flex flex-col gap-2">
                  <h2 id="thresholds" className="text-sm font-semibold">
                    Paliers de score
                  </h2>
                  {thresholds}
                </section>
              )}
            </div>
          </aside>
        )
      }
    >
      {!isWide && thresholds && (
        <details className="rounded-xl bg-card shadow-card">
          <summary className="px-4 py-3">
            <h2 className="inline font-medium">Paliers de score</h2>
          </summary>
          <div className="px-4 pb-4">{thresholds}</div>
        </details>
      )}
      <div className="xl:grid xl:grid-cols-[10.5rem_minmax(0,1fr)] xl:gap-4">
        {isOpened ? (
          <PageOutline
            pages={pages}
            jumps={jumps}
            unreached={unreached}
            hasEnd={!hasResults}
            actions={pageActions}
          />
        ) : (
          <div className="hidden xl:block" />
        )}
        <div className="flex min-w-0 flex-col gap-4">
          <WelcomeAndEndCard
            quiz={quiz}
            kind="welcome"
            page_number={0}
            place={WELCOME}
            problem={problemOfWelcomeOrEnd(errors, 'welcome')}
            insertable={() => []}
            change={changePage}
          />
          <PageExcerptsContext value={words}>
            <PageList
              draft={draft}
              pages={pages}
              problems={problems}
              unreached={unreached}
              scoring={scoring}
              gestures={gestures}
              pageActions={pageActions}
              change={change}
              announce={announce}
            />
          </PageExcerptsContext>
          {!hasResults && (
            <WelcomeAndEndCard
              quiz={quiz}
              kind="end"
              page_number={draft.page_count}
              place={END}
              problem={problemOfWelcomeOrEnd(errors, 'end')}
              insertable={() => labelsBefore(draft)}
              change={changePage}
            />
          )}
        </div>
      </div>
      {!isWide && odds}
      <ButtonLink
        to={`/quiz/${quiz.id}/settings`}
        variant="primary"
        icon={<ArrowRight aria-hidden="true" />}
        className="mb-20 self-end"
      >
        Continuer vers les paramètres
      </ButtonLink>
      <AddMenu gestures={gestures} />
    </EditorFrame>
  )
}

/** About as high as the odds of so many results, so that what stands below them moves little. */
const oddsHeight = (count: number): string => `${7 + 4.25 * count}rem`

/** What had the focus last, as a place of the preview. */
const useEditedPlace = (page_count: number): number => {
  const [edited, setEdited] = useState(1)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      const page = target instanceof Element ? target.closest<HTMLElement>('[data-page]') : null
      if (page) setEdited(Number(page.dataset.place ?? page.dataset.page))
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
  return edited === END ? END : Math.min(edited, page_count)
}
