import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import { unpackIds } from '#domain/run/public-page/packed-ids.ts'
import { PLAYER_DATA_ID, type PlayerData } from '#web/player/page/player-data.ts'
import { createBrowserStore } from './browser-store.ts'
import { lockRun } from './lock-run.ts'
import { firstPageIndex } from './run.ts'
import { createSavedRun, type SavedRun } from './saved-run.ts'

/** Data of the public page: its version, and the saved run of the tab. Read when the script starts. */

/** Data that the server wrote into this page. */
const data: PlayerData = JSON.parse(document.getElementById(PLAYER_DATA_ID)?.textContent ?? '')
export const { quiz_id, version, snapshot, is_test } = data
unpackIds(snapshot.questions, data.ids)
/** True if another site shows this page in a frame. */
export const is_framed = parent !== window
/** Index of the first page of a run; -1 is the welcome screen. */
export const first_page_index = firstPageIndex(snapshot)
export const pages = groupIntoPages(snapshot)
/** Storage of the run of this tab. */
export const savedRun = createSavedRun(
  createBrowserStore(() => sessionStorage),
  quiz_id,
  is_framed,
)

/** True after a reload or Back. Safari before 15 has no other form; 0 is a new visit. */
const is_reloaded = performance.navigation?.type !== 0
/** True if the browser may have filled the fields of this page with the texts of an earlier visit. */
export const is_returning_visit = savedRun.had_run || is_reloaded

/**
 * Returns true if this page continues the run of its tab: after a reload, the browser's buttons or a crash. Browsers
 * report a reloaded frame as a new navigation. A frame therefore continues its run until the server has acknowledged
 * the answers.
 */
const isSameVisit = ({ is_finished, submission, refusal }: SavedRun): boolean => {
  if (is_framed) return !is_finished || !!(submission ?? refusal)
  return is_reloaded
}

/** Returns the run to continue in this tab; undefined when the tab is a duplicate of an open one. */
export const findSavedRun = async (): Promise<SavedRun | undefined> => {
  const saved = savedRun.find()
  return saved && isSameVisit(saved) && (await lockRun(saved.participant_uuid)) ? saved : undefined
}
