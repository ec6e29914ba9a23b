import { MAX_RUN_IDLE_MS } from '#domain/common/vocabulary.ts'
import type { LateParts } from '#web/player/parts.ts'
import { hasTypedTexts } from './resume-kept.tsx'

const CHECK_INTERVAL_MS = 30_000
const USES = ['input', 'keydown', 'pointerdown']

/**
 * Keeps typed texts of an unfinished run from the next person on the device: a page without use is loaded again, which ends
 * its run.
 */
export const guardRun: LateParts['guardRun'] = (readRun, { questions }) => {
  let used_at = Date.now()
  const isTyped = (): boolean => {
    const { is_finished, replies } = readRun()
    return !is_finished && hasTypedTexts(questions, replies)
  }
  for (const use of USES)
    addEventListener(use, () => {
      used_at = Date.now()
    })
  setInterval(() => {
    if (Date.now() - used_at > MAX_RUN_IDLE_MS && isTyped()) location.reload()
  }, CHECK_INTERVAL_MS)
}
