import { createRoot, hydrateRoot } from 'react-dom/client'
import { CONSENT } from '#domain/consent.ts'
import { groupIntoPages } from '#domain/pages.ts'
import { PUBLIC_RULES } from '#domain/scoring.ts'
import { participantEmail } from '#domain/taking.ts'
import { findKeptRuns, forgetRun, type KeptRun, keepRun, keyOfRun } from './kept-run.ts'
import { createLocalStore } from './local-store.ts'
import { readReplies } from './page-form.tsx'
import { createPageHistory } from './page-history.ts'
import { createParticipantUuid } from './participant.ts'
import { createPendingSubmissions } from './pending-submissions.ts'
import { QuizPlayer } from './quiz-player.tsx'
import { type Run, resumeRun } from './run.ts'
import { holdRun } from './run-lock.ts'
import { PLAYER_ID, TAKEN_QUIZ_ID, type TakenQuiz } from './taken-quiz.ts'

const taken: TakenQuiz = JSON.parse(document.getElementById(TAKEN_QUIZ_ID)?.textContent ?? '')
const { quiz_id, version, snapshot } = taken
const store = createLocalStore(() => localStorage)
/** Whose answers the server has: nothing of them is kept or sent any more. */
const settled = new Set<string>()
const pending = createPendingSubmissions({
  store,
  onSettled: (settled_quiz, participant) => {
    settled.add(participant)
    forgetRun(store, settled_quiz, participant)
  },
})

/** The run that this browser left behind here and that no other tab goes on with, if any. */
const findLeftRun = async (): Promise<KeptRun | undefined> => {
  for (const kept of findKeptRuns(store, quiz_id))
    if (await holdRun(keyOfRun(quiz_id, kept.participant_uuid))) return kept
  return undefined
}

/** That run on the questionnaire as it is now, with what was typed since the page came. */
const resume = (kept: KeptRun, container: HTMLElement): Run | undefined => {
  const form = container.querySelector('form')
  const typed = Object.entries(form ? readReplies(form) : {}).filter(([, reply]) => reply)
  const replies = { ...kept.replies, ...(!kept.is_finished && Object.fromEntries(typed)) }
  const pages = groupIntoPages(snapshot)
  const run = resumeRun({ snapshot, pages, rules: PUBLIC_RULES }, { ...kept, replies })
  // Finished on a version that asked for less: that one waits among the pending submissions.
  return kept.is_finished && !run.is_finished ? undefined : run
}

const start = async (container: HTMLElement): Promise<void> => {
  // Its field is none of ours (readReplies), it is looked at by itself.
  document.querySelector('input')?.removeAttribute('form')
  // The server's form would go on without us: it waits until this page knows its run.
  const next = container.querySelector<HTMLButtonElement>('.q-next')
  if (next) next.disabled = true
  const kept = await findLeftRun()
  const initial = kept && resume(kept, container)
  const participant_uuid = (initial && kept?.participant_uuid) ?? createParticipantUuid()
  if (!initial) holdRun(keyOfRun(quiz_id, participant_uuid))
  // Steps of domain/visits.ts: the last one that was told, and the furthest of this visit.
  let told = 0
  let reached = 1
  let goTo = (page_index: number): number => page_index
  // Within another page, Back belongs to that page.
  const pageHistory =
    parent === window
      ? createPageHistory({ onTravel: (page_index) => goTo(page_index) })
      : undefined
  const onChange = (run: Run): void => {
    pageHistory?.show(run.page_index)
    const { page_index, replies, is_finished } = run
    reached = Math.max(reached, page_index + (is_finished ? 1 : 2))
    if (settled.has(participant_uuid)) return
    if (is_finished) {
      const { [CONSENT]: agreed, ...answers } = replies
      pending.submit(quiz_id, {
        answers,
        email: participantEmail(snapshot, replies),
        consent_version: agreed === undefined ? agreed : Number(agreed),
        participant_uuid,
        version,
        // Of a run that was left and resumed nobody counted the beginning.
        elapsed_seconds: initial ? null : (performance.now() / 1_000) | 0,
        // The page's first field is the one that no person sees.
        is_trapped: !!document.querySelector('input')?.value,
      })
    }
    const kept_at = Date.now()
    keepRun(store, quiz_id, { participant_uuid, page_index, replies, is_finished, kept_at })
  }
  const shown = (
    <QuizPlayer
      snapshot={snapshot}
      rules={PUBLIC_RULES}
      initial={initial}
      onChange={onChange}
      onMount={(given) => {
        goTo = given
      }}
    />
  )
  // What earlier visits left behind, to whichever quiz.
  pending.sendAll()
  addEventListener('online', pending.sendAll)
  document.addEventListener('visibilitychange', () => {
    pending.sendAll()
    // Left, perhaps for good. Nothing of the visitor is said, and nobody waits for it.
    if (document.hidden && told < reached) {
      navigator.sendBeacon(`/q/${quiz_id}/visite/${version}/${told}/${reached}`)
      told = reached
    }
  })
  if (initial) {
    container.replaceChildren()
    createRoot(container).render(shown)
    onChange(initial)
    // The visit that was left told its own.
    told = reached
  } else {
    if (next) next.disabled = false
    hydrateRoot(container, shown)
    pageHistory?.show(0)
  }
}

const container = document.getElementById(PLAYER_ID)
if (container) start(container)
