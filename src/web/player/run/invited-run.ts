import type { Replies } from '#domain/questionnaire/quiz.ts'
import {
  INVITATION_DATA_ID,
  type InvitationData,
  RESUME_QUESTION_ID,
} from '#web/player/page/player-data.ts'
import { abortAfter } from './abort-after.ts'
import { findSavedRun, quiz_id, version } from './page-context.ts'
import { createParticipantUuid } from './participant-uuid.ts'
import { NEW_RUN, type Run } from './run.ts'
import type { SavedRun } from './saved-run.ts'

/** Run of an invited person: begins with name and address, is kept on the server, and is resumed on another device. */

const readInvitation = (): InvitationData =>
  JSON.parse(document.getElementById(INVITATION_DATA_ID)?.textContent ?? '{}')
/** Data that the server wrote into the page of the person. Marked as pure, so that the public page leaves it out. */
const invitation = /* @__PURE__ */ readInvitation()
const TIMEOUT_MS = 15_000

const post = (call: string, body: unknown = {}): Promise<Response> =>
  fetch(`/api/v1/quizzes/${quiz_id}/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: true,
    signal: abortAfter(TIMEOUT_MS),
  })

/** Progress of a run, as the server keeps it. */
type Progress = { version: number; page_index: number; replies: Replies }

/** Asks whether to resume, in the place of the first page. Resolves to the kept run; undefined to begin again. */
const askToResume = (container: HTMLElement): Promise<SavedRun | undefined> =>
  new Promise((resolve) => {
    const question = document.getElementById(RESUME_QUESTION_ID) as HTMLTemplateElement | null
    if (!question) return resolve(undefined)
    container.replaceChildren(question.content.cloneNode(true))
    const leave = (run?: SavedRun): void => {
      container.replaceChildren()
      resolve(run)
    }
    const resume = async (): Promise<void> => {
      try {
        const answer = await post('resume')
        const { progress }: { progress: Progress | null } = await answer.json()
        const participant_uuid = createParticipantUuid()
        const kept = progress && { ...NEW_RUN, ...progress, quiz_id, participant_uuid }
        leave(kept ? { ...kept, is_confirmed: true } : undefined)
      } catch {
        const note = container.querySelector('[role=alert]')
        if (note) note.textContent = 'La reprise a échoué. « Reprendre » la refait.'
      }
    }
    const [again, resumed] = container.querySelectorAll('button')
    again?.addEventListener('click', () => leave())
    resumed?.addEventListener('click', resume)
    container.querySelector('h1')?.focus()
  })

/** Returns the run of this tab, or the run that the person began elsewhere and wants to resume. */
export const findInvitedRun = async (container: HTMLElement): Promise<SavedRun | undefined> =>
  (await findSavedRun()) ?? (invitation.has_progress ? askToResume(container) : undefined)

/** Returns a new run with the name and the address of the person. */
export const withPersonReplies = (run: Run): Run => ({ ...run, replies: invitation.replies })

let latest: Run | undefined
let kept_json = ''
let shown_index: number | undefined

/** Sends the replies of the run to the server, unless it has them. An anonymous run is only said to have begun. */
const sendProgress = (): void => {
  if (!latest || latest.is_finished) return
  const { page_index, replies } = latest
  const progress = { version, page_index: Math.max(0, page_index), replies }
  const json = JSON.stringify(progress)
  if (json === kept_json) return
  kept_json = json
  const body = { step: 'started', ...(!invitation.is_anonymous && { progress }) }
  // The replies are kept in the tab too, so that a failure loses nothing here.
  post('visit', body).catch(() => undefined)
}

/** Keeps the replies of an unfinished run on the server at each change of the page. */
export const keepProgress = (run: Run): void => {
  const isTurned = shown_index !== undefined && run.page_index !== shown_index
  latest = run
  shown_index = run.page_index
  if (isTurned) sendProgress()
}

/** Signs of a person; programs that check links load a page without them. */
const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'wheel']

/** Reports that the person has opened the questionnaire, at the first sign of a person. */
export const reportOpening = (): void => {
  const report = (): void => {
    for (const sign of SIGNS) removeEventListener(sign, report)
    post('visit', { step: 'opened' }).catch(() => undefined)
  }
  for (const sign of SIGNS) addEventListener(sign, report, { passive: true })
  document.addEventListener('visibilitychange', () => {
    if (document.hidden && shown_index !== undefined && latest !== undefined) sendProgress()
  })
}

/** Returns the public address of the questionnaire, which names no person. */
export const publicPathOf = (invited_path: string): string => invited_path.replace(/\/i\/.*/, '')
