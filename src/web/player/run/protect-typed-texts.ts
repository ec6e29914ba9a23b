import { MAX_RUN_IDLE_MS } from '#domain/common/vocabulary.ts'
import type { SecondFileParts } from '#web/player/parts.ts'
import { hasTypedTexts } from './offer-saved-run.tsx'

const CHECK_INTERVAL_MS = 30_000
/** Events of a person who uses the page. */
const USE_EVENTS = ['input', 'keydown', 'pointerdown']

/**
 * Hides the typed texts of an unfinished run from the next person on the device. Reloads an unused page, and a
 * page that the browser restores from its cache. The reloaded page asks whether to continue (offer-saved-run.tsx).
 */
export const protectTexts: SecondFileParts['protectTexts'] = (readRun, { questions }) => {
  let used_at = Date.now()
  const isTyped = (): boolean => {
    const { is_finished, replies } = readRun()
    return !is_finished && hasTypedTexts(questions, replies)
  }
  for (const use of USE_EVENTS)
    addEventListener(use, () => {
      used_at = Date.now()
    })
  setInterval(() => {
    if (Date.now() - used_at > MAX_RUN_IDLE_MS && isTyped()) location.reload()
  }, CHECK_INTERVAL_MS)
  // The browser may keep the page in its memory, and shows it again before a script can run.
  addEventListener('pagehide', () => {
    if (isTyped()) document.body.style.visibility = 'hidden'
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isTyped()) location.reload()
  })
}
