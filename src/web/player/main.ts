import { CONSENT_FIELD } from '#domain/questionnaire/consent.ts'
import type { SnapshotAnswer } from '#domain/questionnaire/snapshot.ts'
import { participantEmail } from '#domain/run/contact/contact.ts'
import { createIsPageSkipped, skippedStepsQuery } from '#domain/run/path.ts'
import type { RichQuestion } from '#domain/run/rich-text.ts'
import { PUBLIC_RULES } from '#domain/run/scoring.ts'
import { STEPS, spanOf, stepsTo } from '#domain/statistics/visits.ts'
import type { EndLinks } from './ending/end-props.ts'
import { createPlayer, type Player } from './page/player.ts'
import { PLAYER_ID } from './page/player-data.ts'
import { parts, type Redirect } from './parts.ts'
import { createBrowserStore } from './run/browser-store.ts'
import { lockRun } from './run/lock-run.ts'
import {
  findSavedRun,
  first_page_index,
  is_framed,
  is_return,
  is_test,
  pages,
  quiz_id,
  savedRun,
  snapshot,
  version,
} from './run/opened-run.ts'
import { createPageHistory } from './run/page-history.ts'
import { createParticipantUuid, createRandomBytes } from './run/participant-uuid.ts'
import { createPendingSubmissions } from './run/pending-submissions.ts'
import { NEW_RUN, type Run } from './run/run.ts'
import { shownReplies } from './run/typed-texts.ts'
import { SHARED } from './shared.ts'

/** Address of the second file (bundles/second-file.ts). */
declare const SECOND_FILE_ADDRESS: string

/** Number of loads of the second file that follow each other soon, and the delay between them. */
const MAX_SOON_LOADS = 4
const RETRY_DELAY_MS = 3_000

const device = createBrowserStore(() => localStorage)

const start = async (container: HTMLElement): Promise<void> => {
  // `readReplies` must not read the honeypot; its value is read separately.
  document.querySelector('input')?.removeAttribute('form')
  // Created last. Only the second file may arrive before.
  let player = undefined as unknown as Player
  let redirect: Redirect | undefined
  let run = { ...NEW_RUN, page_index: first_page_index }
  /** True from the end of a run in this page until its restart or its refusal. */
  let hasEnded = false
  let isLoading = false
  let nb_loads = 0
  /**
   * Loads the second file. A failure is tried again soon, at the end of the run, and when the device is online again.
   * Each time has an address of its own, because some browsers remember the failure of an address.
   */
  const loadSecondFile = async (): Promise<void> => {
    if (isLoading || parts.Picture) return
    isLoading = true
    const address = `${SECOND_FILE_ADDRESS}?retry=${nb_loads++}`
    try {
      await import(/* @vite-ignore */ address)
      parts.guardRun?.(() => run, snapshot)
      startRedirect()
      ;(player as Player | undefined)?.show()
    } catch {
      // Browsers report the failure. The run ends without the file.
      if (nb_loads < MAX_SOON_LOADS) setTimeout(loadSecondFile, RETRY_DELAY_MS)
    }
    isLoading = false
  }
  /** Schedules the redirect of a run that has ended in this page, once the second file is loaded. */
  const startRedirect = (): void => {
    if (is_test || !hasEnded) return
    redirect ??= parts.createRedirect?.({
      mayLeave: () => !submission || pending.isKept(participant_uuid),
      onChange: () => player.show(),
    })
    redirect?.start(snapshot, run)
  }
  // New elements, because browsers fill in the fields of the person before.
  if (is_return) container.replaceChildren()
  const found = await findSavedRun()
  if (found) await loadSecondFile()
  const resumed = parts.offerSavedRun
    ? found && (await parts.offerSavedRun(found, { container, snapshot, version }))
    : // Without the file, the browser asks.
      found?.version === version && confirm('Reprendre ?') && found
  const saved = resumed || undefined
  let participant_uuid = saved?.participant_uuid ?? createParticipantUuid()
  if (!saved) {
    savedRun.forget()
    lockRun(participant_uuid)
  }
  let submission = saved?.submission
  let refusal = saved?.refusal
  let documents = saved?.documents
  run = saved ?? run
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
          redirect?.cancel()
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
      replies: submission || refusal ? run.replies : shownReplies(snapshot, run),
      quiz_id,
      version: run_version,
      participant_uuid,
      submission,
      refusal,
      documents,
    })
  // Steps of this visit (domain/statistics/visits.ts): the unreported ones, and all of them.
  let unreported: number[] = [STEPS.opened]
  const reached = [...unreported]
  // In a frame, Back belongs to the surrounding page.
  const pageHistory = is_framed
    ? undefined
    : createPageHistory({
        onTravel: (place) => player.goTo(place + first_page_index) - first_page_index,
      })
  const onChange = (changed: Run): void => {
    run = changed
    const { page_index, replies } = run
    pageHistory?.show(page_index - first_page_index)
    // A run begins with its first answer, not with a return to the first page.
    const hasBegun = page_index > 0 || Object.keys(replies).length > 0
    const isSkipped = createIsPageSkipped(snapshot.questions, replies)
    const isPassed = (index: number): boolean => !!pages[index] && !isSkipped(pages[index].number)
    for (const step of stepsTo(page_index, hasBegun, isPassed))
      if (!reached.includes(step)) {
        reached.push(step)
        unreported.push(step)
      }
    saveRun()
  }
  /** Gives the answers of an ended run to the queue, without which the run does not end. */
  const submitRun = ({ replies }: Run): undefined => {
    const { [CONSENT_FIELD]: agreed, ...answers } = replies
    submission = {
      answers,
      email: participantEmail(snapshot, replies),
      consent_version: agreed === undefined ? agreed : Number(agreed),
      participant_uuid,
      run_secret: createRandomBytes().join(),
      version,
      elapsed_seconds: is_untimed ? null : (performance.now() / 1_000) | 0,
      // The first field of the page is the honeypot.
      is_trapped: !!document.querySelector('input')?.value,
      parameters: location.search,
    }
    pending.submit(quiz_id, submission)
    hasEnded = true
    // After the end is shown.
    queueMicrotask(() => {
      startRedirect()
      loadSecondFile()
    })
  }
  /**
   * Continues the run on the pages without scripts, in the place of the form. The server counts the participant once,
   * also if the queue sends the answers too.
   */
  const continueWithoutScript = (): void => {
    const form = container.querySelector('form') ?? document.createElement('form')
    const typed = new FormData(form)
    const key = { participant_uuid, run_secret: submission?.run_secret ?? [] }
    for (const [name, reply] of Object.entries({ ...run.replies, ...key }))
      for (const value of typed.has(name) ? [] : [reply].flat())
        form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
    form.method = 'post'
    form.action = `/q/${quiz_id}?version=${run_version}&page=${run.page_index + 1}${is_framed ? '&embed=1' : ''}`
    container.append(form)
    form.submit()
  }
  /**
   * Starts the run of a new participant in this page. The submission of the last participant is sent independently.
   */
  const restart = (): void => {
    redirect?.cancel()
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
    quiz_path: location.pathname,
    restart: linkTo(restart),
    resend: continueWithoutScript,
    stay: redirect?.isActive() ? linkTo(redirect.cancel) : undefined,
    documents,
  })
  const orderAnswers = (question: RichQuestion): SnapshotAnswer[] =>
    parts.shuffled?.(question.answers, participant_uuid, question.id) ?? question.answers
  // Sends every pending submission of this device, of every quiz.
  if (submission) pending.submit(quiz_id, submission)
  pending.sendAll()
  addEventListener('online', () => {
    pending.sendAll()
    loadSecondFile()
  })
  document.addEventListener('visibilitychange', () => {
    pending.sendAll()
    // The visitor may not come back. The report contains nothing about the visitor and needs no answer.
    const span = document.hidden && !is_test && spanOf(unreported)
    if (!span) return
    navigator.sendBeacon(
      `/q/${quiz_id}/visite/${version}/${span.from}/${span.to}${skippedStepsQuery(span, '?')}`,
    )
    unreported = []
  })
  if (saved) {
    onChange(saved)
    // The earlier visit has reported its own steps.
    unreported = []
  } else pageHistory?.show(0)
  player = createPlayer(
    container,
    () => ({
      // The dimensions of this version say nothing about a run of another one.
      snapshot: run_version === version ? snapshot : { ...snapshot, dimensions: [] },
      rules: PUBLIC_RULES,
      orderAnswers,
      onChange,
      onBeforeEnd: submitRun,
      onFailure: continueWithoutScript,
      refusal,
      has_lost,
      links: links(),
    }),
    run,
  )
  // The browser has filled the fields of a restored page before this event.
  addEventListener('pageshow', player.read)
  if (document.readyState === 'complete') loadSecondFile()
  else addEventListener('load', loadSecondFile)
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
