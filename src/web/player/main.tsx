import { createRef } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { CONSENT } from '#domain/consent.ts'
import { groupIntoPages } from '#domain/pages.ts'
import { PUBLIC_RULES } from '#domain/scoring.ts'
import { participantEmail } from '#domain/taking.ts'
import { createBrowserStore } from './browser-store.ts'
import { findKeptRun, forgetRun, type KeptRun, keepRun } from './kept-run.ts'
import { readReplies } from './page-form.tsx'
import { createPageHistory } from './page-history.ts'
import { createParticipantUuid } from './participant.ts'
import { createPendingSubmissions } from './pending-submissions.ts'
import { type PlayerHandle, QuizPlayer } from './quiz-player.tsx'
import { NEW_RUN, type Run, resumeRun } from './run.ts'
import { holdRun } from './run-lock.ts'
import { PLAYER_ID, TAKEN_QUIZ_ID, type TakenQuiz } from './taken-quiz.ts'

const taken: TakenQuiz = JSON.parse(document.getElementById(TAKEN_QUIZ_ID)?.textContent ?? '')
const { quiz_id, version, snapshot } = taken
const device = createBrowserStore(() => localStorage)
const tab = createBrowserStore(() => sessionStorage)

/**
 * Whether this page continues what its tab had: a reload, the browser's buttons, a tab that came back after
 * a crash. A frame is loaded anew whichever it is.
 */
const isSameVisit = (): boolean => {
  const [loading] = performance.getEntriesByType('navigation')
  return parent !== window || !(loading && 'type' in loading && loading.type === 'navigate')
}

/** The run of this tab to go on with, unless the tab is a copy of one that has it. */
const findOwnRun = async (): Promise<KeptRun | undefined> => {
  const kept = findKeptRun(tab, quiz_id)
  return kept && isSameVisit() && (await holdRun(kept.participant_uuid)) ? kept : undefined
}

/** That run on the questionnaire as it is now, with what was typed since the page came. */
const resume = (kept: KeptRun, container: HTMLElement): Run => {
  const form = container.querySelector('form')
  const typed = Object.entries(form ? readReplies(form) : {}).filter(([, reply]) => reply)
  const replies = { ...kept.replies, ...(!kept.is_finished && Object.fromEntries(typed)) }
  const pages = groupIntoPages(snapshot)
  // The pages of another version are others: its end is what there is to show.
  const isOther = kept.is_finished && kept.version !== version
  const page_index = isOther ? pages.length : kept.page_index
  return resumeRun({ snapshot, pages, rules: PUBLIC_RULES }, { ...kept, page_index, replies })
}

const start = async (container: HTMLElement): Promise<void> => {
  // Its field is none of ours (readReplies), it is looked at by itself.
  document.querySelector('input')?.removeAttribute('form')
  // The server's form would go on without us: it waits until this page knows its run.
  const next = container.querySelector<HTMLButtonElement>('.q-next')
  if (next) next.disabled = true
  const kept = await findOwnRun()
  const initial = kept && resume(kept, container)
  const participant_uuid = kept?.participant_uuid ?? createParticipantUuid()
  if (!kept) {
    forgetRun(tab)
    holdRun(participant_uuid)
  }
  let submission = kept?.submission
  let run = initial ?? NEW_RUN
  const player = createRef<PlayerHandle>()
  const pending = createPendingSubmissions({
    store: device,
    onSettled: (_, participant) => {
      if (participant !== participant_uuid) return
      submission = undefined
      keep()
      root.render(shownPlayer(false))
    },
    onRefused: (participant) => {
      if (participant === participant_uuid) root.render(shownPlayer(true))
    },
  })
  const keep = (): void =>
    keepRun(tab, {
      ...run,
      quiz_id,
      version: kept?.is_finished ? kept.version : version,
      participant_uuid,
      submission,
    })
  // Steps of domain/visits.ts: the last one that was told, and the furthest of this visit.
  let told = 0
  let reached = 1
  let wasFinished = kept?.is_finished
  // Within another page, Back belongs to that page.
  const pageHistory =
    parent === window
      ? createPageHistory({
          onTravel: (page_index) => player.current?.goTo(page_index) ?? page_index,
        })
      : undefined
  const onChange = (changed: Run): void => {
    run = changed
    const { page_index, replies, is_finished } = run
    pageHistory?.show(page_index)
    reached = Math.max(reached, page_index + (is_finished ? 1 : 2))
    if (is_finished && !wasFinished) {
      const { [CONSENT]: agreed, ...answers } = replies
      submission = {
        answers,
        email: participantEmail(snapshot, replies),
        consent_version: agreed === undefined ? agreed : Number(agreed),
        participant_uuid,
        version,
        // Of a run that was left and resumed nobody counted the beginning.
        elapsed_seconds: initial ? null : (performance.now() / 1_000) | 0,
        // The page's first field is the one that no person sees.
        is_trapped: !!document.querySelector('input')?.value,
      }
      pending.submit(quiz_id, submission)
    }
    wasFinished = is_finished
    keep()
  }
  const shownPlayer = (is_refused = false) => (
    <QuizPlayer
      ref={player}
      snapshot={snapshot}
      rules={PUBLIC_RULES}
      initial={initial}
      onChange={onChange}
      is_refused={is_refused}
    />
  )
  // What this device still has to send, to whichever quiz.
  if (submission) pending.submit(quiz_id, submission)
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
  let root: Root
  if (initial) {
    container.replaceChildren()
    root = createRoot(container)
    root.render(shownPlayer())
    onChange(initial)
    // The visit that was left told its own.
    told = reached
  } else {
    if (next) next.disabled = false
    root = hydrateRoot(container, shownPlayer())
    pageHistory?.show(0)
  }
}

const container = document.getElementById(PLAYER_ID)
if (container) start(container)
