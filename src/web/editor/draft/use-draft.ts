import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import type { DraftSession, DraftView } from './draft-session.ts'
import { draftSessions } from './draft-sessions.ts'

const QUIZ_DELAY_MS = 500
const QUESTIONS_DELAY_MS = 1_500

/** The autosave delay of each kind of change (spec §9 « Autosave delay »). */
export const SAVING = {
  name: { kind: 'name', delay_ms: QUIZ_DELAY_MS },
  results: { kind: 'results', delay_ms: QUIZ_DELAY_MS },
  colors: { kind: 'colors', delay_ms: QUIZ_DELAY_MS },
  page: { kind: 'page', delay_ms: QUIZ_DELAY_MS },
  consent: { kind: 'consent', delay_ms: QUIZ_DELAY_MS },
  questions: { kind: 'questions', delay_ms: QUESTIONS_DELAY_MS },
  version: { kind: 'version', delay_ms: QUIZ_DELAY_MS },
}

/** The current view of a session. */
export const useDraft = (session: DraftSession): DraftView =>
  useSyncExternalStore(session.subscribe, session.view)

/** Saves when the screen, the tab or the page is left. */
export const useDraftScreen = (quizId: string, session: DraftSession): void => {
  useLayoutEffect(() => draftSessions.retain(quizId), [quizId])
  useEffect(() => onPageSignals(session), [session])
}

const onPageSignals = ({ hurry, leave, refresh }: DraftSession): (() => void) => {
  const onVisibility = (): void => {
    if (document.visibilityState === 'hidden') hurry()
  }
  // A page restored from the browser's back/forward cache has missed the changes since.
  const onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) refresh().catch((error: unknown) => console.warn('Refreshing failed', error))
  }
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', onPageShow)
  window.addEventListener('online', hurry)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('pageshow', onPageShow)
    window.removeEventListener('online', hurry)
  }
}
