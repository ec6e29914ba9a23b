/** Script of the public page: starts the player, saves the run, sends its answers and loads the second file. */
import { CONSENT_FIELD } from '#domain/questionnaire/consent/consent.ts'
import type { SnapshotAnswer } from '#domain/questionnaire/snapshot.ts'
import { participantEmail } from '#domain/run/contact/contact.ts'
import type { RichQuestion } from '#domain/run/rich-text.ts'
import { PUBLIC_RULES } from '#domain/run/scoring.ts'
import type { EndLinks } from './ending/end-props.ts'
import { createPlayer, type Player } from './page/player.ts'
import { PLAYER_ID } from './page/player-data.ts'
import { parts, type Redirect } from './parts.ts'
import { createBrowserStore } from './run/browser-store.ts'
import {
  findInvitedRun,
  keepProgress,
  publicPathOf,
  reportOpening,
  withPersonReplies,
} from './run/invited-run.ts'
import { loadSecondFile } from './run/load-second-file.ts'
import { lockRun } from './run/lock-run.ts'
import { continueWithoutScript } from './run/noscript-fallback.ts'
import {
  findSavedRun,
  first_page_index,
  is_framed,
  is_returning_visit,
  is_test,
  quiz_id,
  savedRun,
  snapshot,
  version,
} from './run/page-context.ts'
import { createPageHistory } from './run/page-history.ts'
import { createParticipantUuid, createRandomBytes } from './run/participant-uuid.ts'
import { createPendingSubmissions } from './run/pending-submissions.ts'
import { takePrefilledReplies } from './run/prefilled-replies.ts'
import { NEW_RUN, type Run } from './run/run.ts'
import { visibleReplies } from './run/visible-replies.ts'
import { addVisitSteps, forgetVisitSteps, reportVisit } from './run/visit-report.ts'
import { SHARED } from './shared.ts'

/** True in the script for the pages of prefilled links (vite.player.config.ts). */
declare const IS_PREFILLED: boolean
/** True in the script of invited people, which is a build of its own (vite.player.config.ts). */
declare const IS_INVITED: boolean

const device = createBrowserStore(() => localStorage)

const start = async (container: HTMLElement): Promise<void> => {
  // `readReplies` must not read the honeypot; its value is read separately.
  document.querySelector('input')?.removeAttribute('form')
  // The player is created last. Only the second file may be loaded before.
  let player = undefined as unknown as Player
  let redirect: Redirect | undefined
  let run = { ...NEW_RUN, page_index: first_page_index }
  // « Recommencer » begins without these replies, because it is for the next person.
  if (IS_PREFILLED) run.replies = takePrefilledReplies()
  /** True from the end of a run in this page until its restart or its refusal. */
  let hasEnded = false
  /** Schedules the redirect of a run that has ended in this page, once the second file is loaded. */
  const startRedirect = (): void => {
    if (is_test || !hasEnded) return
    redirect ??= parts.createRedirect?.({
      mayLeave: () => !submission || pending.isKept(participant_uuid),
      onRedirectChange: () => player.show(),
    })
    redirect?.schedule(snapshot, run)
  }
  /** Loads the second file, which protects typed texts, redirects, and extends the shown page. */
  const loadParts = (): Promise<void> =>
    loadSecondFile(() => {
      parts.protectTexts?.(() => run, snapshot)
      startRedirect()
      ;(player as Player | undefined)?.show()
    })
  // New elements, because browsers may fill the old fields with the texts of the last person.
  if (is_returning_visit) container.replaceChildren()
  const found = await (IS_INVITED ? findInvitedRun(container) : findSavedRun())
  if (found) await loadParts()
  const resumed = parts.offerSavedRun
    ? found && (await parts.offerSavedRun(found, { container, snapshot, version }))
    : // Without the file, the browser asks.
      found?.version === version && confirm('Continuer ?') && found
  const saved = resumed || undefined
  let participant_uuid = saved?.participant_uuid ?? createParticipantUuid()
  if (!saved) {
    savedRun.forget()
    lockRun(participant_uuid)
  }
  let submission = saved?.submission
  let refusal = saved?.refusal
  let documents = saved?.documents
  run = saved ?? (IS_INVITED ? withPersonReplies(run) : run)
  let run_version = saved?.is_finished ? saved.version : version
  // True after a resume or a restart, when the start of the run was not measured.
  let is_untimed = !!saved
  /** True if the server has finally refused answers of an earlier visit, so that the page must say so. */
  let has_lost = false
  const pending = createPendingSubmissions({
    store: device,
    onOutcome: (participant, { outcome, refusal: reason, documents: offered }) => {
      const isOwn = participant === participant_uuid
      if (!isOwn) has_lost ||= outcome === 'refused'
      else if (outcome !== 'later' || reason) {
        if (outcome !== 'later') submission = undefined
        documents = offered
        refusal = reason
        if (reason) {
          hasEnded = false
          redirect?.dismiss()
        }
        saveRun()
      }
      player.show()
      if (isOwn && outcome === 'stored') redirect?.follow()
    },
  })
  const saveRun = (): void =>
    savedRun.keep({
      ...run,
      // Typed texts end with the run, unless its answers must be sent again.
      replies: submission || refusal ? run.replies : visibleReplies(snapshot, run),
      quiz_id,
      version: run_version,
      participant_uuid,
      submission,
      refusal,
      documents,
    })
  // In a frame, Back belongs to the surrounding page.
  const pageHistory = is_framed
    ? undefined
    : createPageHistory({
        onNavigate: (index) => player.goTo(index + first_page_index) - first_page_index,
      })
  const onRunChange = (changed: Run): void => {
    run = changed
    if (IS_INVITED) keepProgress(run)
    pageHistory?.show(run.page_index - first_page_index)
    addVisitSteps(run)
    saveRun()
  }
  /** Gives the answers of an ended run to the queue, without which the run does not end. */
  const submitRun = ({ replies }: Run): undefined => {
    const { [CONSENT_FIELD]: agreed, ...answers } = replies
    submission = {
      answers,
      email: participantEmail(snapshot, replies),
      ...parts.readConsents?.(agreed),
      participant_uuid,
      run_secret: createRandomBytes().join(),
      version,
      elapsed_seconds: is_untimed ? null : (performance.now() / 1_000) | 0,
      // The first field of the page is the honeypot.
      is_trapped: !!document.querySelector('input')?.value,
      parameters: location.search,
    }
    pending.enqueue(quiz_id, submission)
    hasEnded = true
    // After the end is shown.
    queueMicrotask(() => {
      startRedirect()
      loadParts()
    })
  }
  const leaveScripts = (): void =>
    continueWithoutScript(
      container,
      { ...run.replies, participant_uuid, run_secret: submission?.run_secret ?? [] },
      `version=${run_version}&page=${run.page_index + 1}`,
    )
  /**
   * Starts the run of a new participant in this page. The submission of the last participant is sent independently.
   */
  const restart = (): void => {
    redirect?.dismiss()
    savedRun.forget()
    participant_uuid = createParticipantUuid()
    lockRun(participant_uuid)
    submission = refusal = documents = undefined
    hasEnded = false
    run = { ...NEW_RUN, page_index: first_page_index }
    run_version = version
    is_untimed = true
    player.restart(run)
    pageHistory?.show(0)
  }
  const linkTo = (act: () => void): EndLinks['restart'] => ({
    href: location.href,
    onClick: (event) => {
      event.preventDefault()
      act()
    },
  })
  const links = (): EndLinks => ({
    target: is_framed ? '_top' : undefined,
    // The address that was opened, which may be the quiz's custom address.
    quiz_path: IS_INVITED ? publicPathOf(location.pathname) : location.pathname,
    restart: linkTo(restart),
    resend: leaveScripts,
    stay: redirect?.isActive() ? linkTo(redirect.dismiss) : undefined,
    documents,
  })
  const orderAnswers = (question: RichQuestion): SnapshotAnswer[] =>
    parts.shuffled?.(question.answers, participant_uuid, question.id) ?? question.answers
  // Sends every pending submission of this device, of every quiz.
  if (submission) pending.enqueue(quiz_id, submission)
  pending.sendAll()
  addEventListener('online', () => {
    pending.sendAll()
    loadParts()
  })
  document.addEventListener('visibilitychange', pending.sendAll)
  document.addEventListener('visibilitychange', reportVisit)
  if (IS_INVITED) reportOpening()
  if (saved) {
    onRunChange(saved)
    forgetVisitSteps()
  } else pageHistory?.show(0)
  player = createPlayer(
    container,
    () => ({
      // The dimensions of this version say nothing about a run of another one.
      snapshot: run_version === version ? snapshot : { ...snapshot, dimensions: [] },
      rules: PUBLIC_RULES,
      orderAnswers,
      onRunChange,
      onBeforeEnd: submitRun,
      onFailure: leaveScripts,
      refusal,
      has_lost,
      links: links(),
    }),
    run,
  )
  // The address no longer has the replies, which a reload therefore finds in the tab. A frame gets its address again.
  if (IS_PREFILLED && !saved && !is_framed) saveRun()
  // The browser has filled the fields of a restored page before this event.
  addEventListener('pageshow', player.read)
  if (document.readyState === 'complete') loadParts()
  else addEventListener('load', loadParts)
}

Object.assign(globalThis, { quizaine: SHARED })
// The parts of this page run after this script.
addEventListener('DOMContentLoaded', () => {
  const container = document.getElementById(PLAYER_ID)
  if (!container) return
  // Until this page knows its run, « Suivant » would submit the server's form.
  const next = container.querySelector<HTMLButtonElement>('.q-next')
  if (next) next.disabled = true
  // If the script fails, the server's form works without it.
  start(container).finally(() => {
    if (next) next.disabled = false
  })
})
