import { createRoot, hydrateRoot } from 'react-dom/client'
import { groupIntoPages } from '#domain/pages.ts'
import { PUBLIC_RULES } from '#domain/scoring.ts'
import { participantEmail } from '#domain/taking.ts'
import { findKeptRun, forgetRun, keepRun } from './kept-run.ts'
import { createLocalStore } from './local-store.ts'
import { readReplies } from './page-form.tsx'
import { createParticipantUuid } from './participant.ts'
import { createPendingSubmissions } from './pending-submissions.ts'
import { QuizPlayer } from './quiz-player.tsx'
import { type Run, resumeRun } from './run.ts'
import { PLAYER_ID, TAKEN_QUIZ_ID, type TakenQuiz } from './taken-quiz.ts'

const taken: TakenQuiz = JSON.parse(document.getElementById(TAKEN_QUIZ_ID)?.textContent ?? '')
const { quiz_id, version, snapshot } = taken
const store = createLocalStore(() => localStorage)
const pending = createPendingSubmissions({
  store,
  onSettled: (settled_quiz, participant) => forgetRun(store, settled_quiz, participant),
})

/** The run this browser left behind here, with what was typed since; undefined to begin a new one. */
const findRun = (container: HTMLElement): { run: Run; participant_uuid: string } | undefined => {
  const kept = findKeptRun(store, quiz_id)
  if (!kept) return undefined
  const form = container.querySelector('form')
  const typed = Object.entries(form ? readReplies(form) : {}).filter(([, reply]) => reply !== '')
  const replies = { ...kept.replies, ...Object.fromEntries(typed) }
  const pages = groupIntoPages(snapshot)
  const run = resumeRun({ snapshot, pages, rules: PUBLIC_RULES }, { ...kept, replies })
  // Finished on a version that asked for less: that one waits among the pending submissions.
  return kept.is_finished && !run.is_finished
    ? undefined
    : { run, participant_uuid: kept.participant_uuid }
}

const start = (container: HTMLElement): void => {
  const found = findRun(container)
  const participant_uuid = found?.participant_uuid ?? createParticipantUuid()
  const onChange = (run: Run): void => {
    const answers = run.replies
    const email = participantEmail(snapshot, answers)
    if (run.is_finished) pending.submit(quiz_id, { answers, email, participant_uuid, version })
    const { page_index, replies, is_finished } = run
    keepRun(store, quiz_id, { participant_uuid, page_index, replies, is_finished })
  }
  const player = (
    <QuizPlayer snapshot={snapshot} rules={PUBLIC_RULES} initial={found?.run} onChange={onChange} />
  )
  if (!found) hydrateRoot(container, player)
  else {
    container.replaceChildren()
    createRoot(container).render(player)
    if (found.run.is_finished) onChange(found.run)
  }
  addEventListener('online', pending.sendAll)
  pending.sendAll()
}

const container = document.getElementById(PLAYER_ID)
if (container) start(container)
