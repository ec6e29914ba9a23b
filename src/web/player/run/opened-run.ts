import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import { unpackIds } from '#domain/run/public-page/packed-ids.ts'
import { PUBLIC_RULES } from '#domain/run/scoring.ts'
import { readReplies } from '#web/player/fields/page-fields.ts'
import { PLAYER_DATA_ID, type PlayerData } from '#web/player/page/player-data.ts'
import { createBrowserStore } from './browser-store.ts'
import { lockRun } from './lock-run.ts'
import { firstIndex, type Run, resumeRun } from './run.ts'
import { createSavedRun, type SavedRun } from './saved-run.ts'

/** Data of the version that the server wrote into this page. */
const data: PlayerData = JSON.parse(document.getElementById(PLAYER_DATA_ID)?.textContent ?? '')
export const { quiz_id, version, snapshot, is_test } = data
unpackIds(snapshot.questions, data.ids)
/** True if another site shows this page in a frame. */
export const is_framed = parent !== window
/** Index of the first page of a run; -1 is the welcome screen. */
export const first = firstIndex(snapshot)
export const pages = groupIntoPages(snapshot)
/** Storage of the run of this tab. */
export const savedRun = createSavedRun(
  createBrowserStore(() => sessionStorage),
  quiz_id,
  is_framed,
)

/**
 * Returns true if this page continues the run of its tab: after a reload, the browser's buttons or a crash. Browsers
 * report a reloaded frame as a new navigation. A frame therefore continues its run until the server has acknowledged
 * the answers.
 */
const isSameVisit = ({ is_finished, submission, refusal }: SavedRun): boolean => {
  if (is_framed) return !is_finished || !!(submission ?? refusal)
  // The only form that Safari before 15 has; 0 is a new visit.
  return performance.navigation?.type !== 0
}

/** Returns the run to continue in this tab; undefined when the tab is a duplicate of an open one. */
export const findSavedRun = async (): Promise<SavedRun | undefined> => {
  const kept = savedRun.find()
  return kept && isSameVisit(kept) && (await lockRun(kept.participant_uuid)) ? kept : undefined
}

/**
 * Returns a saved run adapted to the current questionnaire, with the fields that were filled in before the script
 * ran.
 */
export const resume = (kept: SavedRun, container: HTMLElement): Run => {
  const form = container.querySelector('form')
  const typed = Object.entries(form ? readReplies(form) : {}).filter(([, reply]) => reply)
  const replies = {
    ...kept.replies,
    ...(!kept.is_finished && Object.fromEntries(typed)),
  }
  // A finished run of another version shows only its end, because the pages of the versions differ.
  const isOther = kept.is_finished && kept.version !== version
  // A run that has begun skips the welcome screen.
  const page_index = isOther ? pages.length : Math.max(0, kept.page_index)
  // The snapshot of this page cannot explain the result of another version.
  const detail = isOther ? (kept.detail ?? null) : kept.detail
  return resumeRun(
    { snapshot, pages, rules: PUBLIC_RULES },
    { ...kept, page_index, replies, detail },
  )
}
