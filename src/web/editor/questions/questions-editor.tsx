import { ArrowRight } from 'lucide-react'
import { type ReactNode, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { hasAssociationFields, hasScoreFields } from '#domain/questionnaire/mode.ts'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { usePageFields } from '#web/editor/draft/use-draft.ts'
import { useInsertions } from '#web/editor/draft/use-insertions.ts'
import { EditorAside } from '#web/editor/frame/editor-aside.tsx'
import { EditorFrame } from '#web/editor/frame/editor-frame.tsx'
import { useEditorState } from '#web/editor/frame/use-editor-state.ts'
import { POLL_MS } from '#web/editor/publishing/use-publishing.ts'
import { undoToast, useUndoToast } from '#web/editor/undo/undo-toasts.ts'
import { END, WELCOME } from '#web/preview/preview-path.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { InsertionsContext } from '#web/ui/rich-text/rich-text-field.tsx'
import { useMedia, WIDE } from '#web/ui/use-media.ts'
import type { AnswerFields } from './answers/answer-row.tsx'
import { pageOverviews } from './draft/item-positions.ts'
import { PageExcerptsContext } from './draft/page-jumps.ts'
import type { QuestionsDraft } from './draft/questions-reducer.ts'
import { DimensionsContext, RoleHoldersContext } from './draft/role-holders.ts'
import { useChangeQuestions } from './draft/use-change-questions.ts'
import { useContentActions } from './draft/use-content-actions.ts'
import {
  problemOfWelcomeOrEnd,
  useQuestionsChecks,
  useStableValue,
} from './draft/use-questions-checks.ts'
import { AddMenu } from './items/add-menu.tsx'
import { WelcomeAndEndCard } from './items/welcome-and-end-card.tsx'
import { PageList } from './pages/page-list.tsx'
import { usePageActions } from './pages/page-menu.tsx'
import { PageOutline } from './pages/page-outline.tsx'
import { ModeLine } from './scoring/mode-line.tsx'

const OddsPanel = lazyPart(
  () => import('#web/odds/odds-panel.tsx'),
  'Les chances de chaque résultat n’ont pas pu être chargées.',
)

const ConditionalTexts = lazyPart(
  () => import('#web/editor/results/conditional-texts/conditional-texts.tsx'),
  'Les textes conditionnels n’ont pas pu être chargés.',
)

const ThresholdsPanel = lazyPart(
  () => import('./scoring/thresholds-panel.tsx'),
  'Les paliers n’ont pas pu être chargés.',
)
/** Height of the tiers until they are loaded. */
const thresholdsHeight = (count: number): string => `${7 + count * 5}rem`

/** Shows the editor of the questions, text blocks and tiers, which are edited in place and saved as they change. */
export const QuestionsEditor = ({ session }: { session: DraftSession }) => {
  // State
  const editing = useEditorState(session, { poll_ms: POLL_MS.questions })
  const { quiz, undoing } = editing
  const { draft } = editing.view
  const { quiz_mode, results, page_count } = draft
  // A sondage computes no result, so its answers have no scores and no associations.
  const hasResults = !isSondage(quiz)
  const isWide = useMedia(WIDE)
  const place = useEditedPlace(page_count)
  const answerFields = useAnswerFields(draft, hasResults)
  const pages = useStableValue(useMemo(() => pageOverviews(draft), [draft]))
  const { checked, errors, problems, unreached, jumps, excerpts, reachable, holders } =
    useQuestionsChecks(draft)
  // The outline and its drag and drop are rendered after the first questions.
  const isOutlineShown = useDeferredValue(true, false)

  // Actions
  const toast = useUndoToast(draft)
  const { announce } = toast
  const change = useChangeQuestions(session, { announce })
  const changePage = usePageFields(session)
  const listInsertions = useInsertions(session, { announce })
  const contentActions = useContentActions(quiz.id, { draft, change, announce })
  const pageActions = usePageActions(contentActions)
  const resetMode = (): void => {
    change({ type: 'mode_reset' })
    announce('Mode réinitialisé')
  }

  // Parts that are in the right column on wide screens, and around the questions on narrow ones
  const thresholds = hasResults && quiz_mode === 'score' && (
    <Suspense fallback={<div style={{ height: thresholdsHeight(results.length) }} />}>
      <ThresholdsPanel results={results} reachable={reachable} change={change} />
    </Suspense>
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

  // Markup
  return (
    <EditorFrame
      editing={editing}
      step="questions"
      publishErrors={errors}
      toasts={undoToast(toast, undoing.undo)}
      place={place}
      line={
        hasResults && (
          <ModeLine
            mode={quiz_mode}
            results={results}
            questions={draft.questions}
            reachable={reachable}
            change={change}
            onReset={resetMode}
          />
        )
      }
      aside={
        isWide && (
          <EditorAside
            label="Aperçu et calcul"
            draft={checked}
            place={place}
            empty_text="La page s’affichera ici dès sa première question."
            isTall={!(hasResults && quiz_mode)}
          >
            {odds}
            {thresholds && (
              <section aria-labelledby="thresholds" className="flex flex-col gap-2">
                <h2 id="thresholds" className="text-sm font-semibold">
                  Paliers de score
                </h2>
                {thresholds}
              </section>
            )}
          </EditorAside>
        )
      }
    >
      {!isWide && thresholds && <ClosedThresholds>{thresholds}</ClosedThresholds>}
      <div className="xl:grid xl:grid-cols-[10.5rem_minmax(0,1fr)] xl:gap-4">
        {isOutlineShown ? (
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
            change={changePage}
          />
          <InsertionsContext value={listInsertions}>
            <RoleHoldersContext value={holders}>
              <DimensionsContext value={draft.dimensions}>
                <PageExcerptsContext value={excerpts}>
                  <PageList
                    draft={draft}
                    pages={pages}
                    problems={problems}
                    unreached={unreached}
                    answerFields={answerFields}
                    contentActions={contentActions}
                    pageActions={pageActions}
                    change={change}
                    announce={announce}
                  />
                </PageExcerptsContext>
              </DimensionsContext>
            </RoleHoldersContext>
            {!hasResults && (
              <WelcomeAndEndCard
                quiz={quiz}
                kind="end"
                page_number={page_count}
                place={END}
                problem={problemOfWelcomeOrEnd(errors, 'end')}
                hasMore={draft.text_variants.length > 0}
                change={changePage}
              >
                <ConditionalTexts isNested session={session} errors={errors} announce={announce} />
              </WelcomeAndEndCard>
            )}
          </InsertionsContext>
        </div>
      </div>
      {!isWide && odds}
      <ButtonLink
        to={`/quiz/${quiz.id}/settings`}
        variant="primary"
        icon={<ArrowRight aria-hidden="true" />}
        className="mb-20 self-end"
      >
        Continuer vers les réglages
      </ButtonLink>
      <AddMenu quiz_id={quiz.id} contentActions={contentActions} />
    </EditorFrame>
  )
}

const NO_RESULTS: AnswerFields['results'] = []

/** Returns the fields of answers in the current mode, as a stable object for memoised answers. */
const useAnswerFields = (
  { quiz_mode, results }: QuestionsDraft,
  hasResults: boolean,
): AnswerFields => {
  const hasScores = hasResults && hasScoreFields(quiz_mode)
  const hasAssociations = hasResults && hasAssociationFields(quiz_mode)
  // Answers without associations get no results, so that a changed tier does not render them again.
  const associated = hasAssociations ? results : NO_RESULTS
  return useMemo(
    () => ({ hasScores, hasAssociations, results: associated }),
    [hasScores, hasAssociations, associated],
  )
}

/** Returns the place of the preview that shows the page with the last focus. */
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

/** Returns the approximate height of the odds of so many results, so that the parts below move little. */
const oddsHeight = (count: number): string => `${7 + 4.25 * count}rem`

/** Shows the tiers in a closed part above the questions on narrow screens. */
const ClosedThresholds = ({ children }: { children: ReactNode }) => (
  <details className="rounded-xl bg-card shadow-card">
    <summary className="px-4 py-3">
      <h2 className="inline font-medium">Paliers de score</h2>
    </summary>
    <div className="px-4 pb-4">{children}</div>
  </details>
)
