import { useEffect, useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { QuizPage, QuizTies } from '#domain/questionnaire/quiz.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import type { DraftSession, DraftView } from './draft-session.ts'
import { draftSessions } from './draft-session-registry.ts'

const QUIZ_DELAY_MS = 500
const QUESTIONS_DELAY_MS = 1_500

/** Kinds of edits with their autosave delays (product 5.2). */
export const AUTOSAVE_KINDS = {
  name: { kind: 'name', delay_ms: QUIZ_DELAY_MS },
  results: { kind: 'results', delay_ms: QUIZ_DELAY_MS },
  colors: { kind: 'colors', delay_ms: QUIZ_DELAY_MS },
  page: { kind: 'page', delay_ms: QUIZ_DELAY_MS },
  consent: { kind: 'consent', delay_ms: QUIZ_DELAY_MS },
  opening: { kind: 'opening', delay_ms: QUIZ_DELAY_MS },
  questions: { kind: 'questions', delay_ms: QUESTIONS_DELAY_MS },
  version: { kind: 'version', delay_ms: QUIZ_DELAY_MS },
}

/** Returns the current state of a session and renders the caller again when it changes. */
export const useDraft = (session: DraftSession): DraftView =>
  useSyncExternalStore(session.subscribe, session.view)

/** Saves when the screen, the tab or the page is left, and warns if the server has refused a part of the draft. */
export const useDraftScreen = (quizId: string, session: DraftSession): void => {
  const { confirm } = useDialogs()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useLayoutEffect(() => draftSessions.retain(quizId), [quizId])
  useEffect(() => {
    session.refreshIfStale().catch((error: unknown) => console.warn('Refreshing failed', error))
  }, [session])
  useEffect(() => onPageSignals(session), [session])

  const warn = useEffectEvent(async (): Promise<void> => {
    const { save_state, draft } = session.view()
    if (save_state !== 'refused' || draftSessions.find(quizId) !== session) return
    const text = `« ${draft.quiz.name} » n’est pas entièrement enregistré. Ce qui manque est gardé sur cet appareil. Y revenir ?`
    if (await confirm(text, { confirm_label: 'Y revenir' })) void navigate(pathname)
  })
  useEffect(
    () => () => {
      if (!isEditorPath(quizId, window.location.pathname)) void warn()
    },
    [quizId],
  )
}

const isEditorPath = (quizId: string, path: string): boolean =>
  ['results', 'questions', 'settings'].some((step) => path === `/quiz/${quizId}/${step}`)

const onPageSignals = ({
  saveSoon,
  saveOnPageClose,
  refresh,
  view,
}: DraftSession): (() => void) => {
  // Warns only about rejected edits, because edits that wait for the network are sent on the next visit.
  const onUnload = (event: BeforeUnloadEvent): void => {
    if (view().save_state === 'refused') event.preventDefault()
  }
  const onVisibility = (): void => {
    if (document.visibilityState === 'hidden') saveSoon()
  }
  // A page restored from the back/forward cache has missed newer changes.
  const onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) refresh().catch((error: unknown) => console.warn('Refreshing failed', error))
  }
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('beforeunload', onUnload)
  window.addEventListener('pagehide', saveOnPageClose)
  window.addEventListener('pageshow', onPageShow)
  window.addEventListener('online', saveSoon)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('beforeunload', onUnload)
    window.removeEventListener('pagehide', saveOnPageClose)
    window.removeEventListener('pageshow', onPageShow)
    window.removeEventListener('online', saveSoon)
  }
}

/** Function that changes page fields or tie rules of the quiz. */
export type ChangePage = (fields: Partial<QuizPage & QuizTies>) => void

/**
 * Returns a function that changes the page fields and tie rules of a quiz. Typing in one field is one undo
 * step.
 */
export const usePageFields =
  (session: DraftSession): ChangePage =>
  (fields) =>
    session.change((draft) => ({ ...draft, quiz: { ...draft.quiz, ...fields } }), {
      undoGroupKey: Object.keys(fields).join(' '),
      ...AUTOSAVE_KINDS.page,
    })
