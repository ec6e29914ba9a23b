import { parts } from '#web/player/parts.ts'

/** Address of the second file (bundles/second-file.ts). */
declare const SECOND_FILE_ADDRESS: string

/** Number of loads of the second file that follow each other soon, and the delay between them. */
const MAX_SOON_LOADS = 4
const RETRY_DELAY_MS = 3_000

let isLoading = false
let nb_loads = 0

/**
 * Loads the second file and calls `onLoaded`, unless the file is loaded or loading. Tries again soon after a failure; the
 * run also ends without the file. Each load has an address of its own, because some browsers remember the failure of an
 * address.
 */
export const loadSecondFile = async (onLoaded: () => void): Promise<void> => {
  if (isLoading || parts.Picture) return
  isLoading = true
  const address = `${SECOND_FILE_ADDRESS}?${nb_loads++}`
  try {
    await import(/* @vite-ignore */ address)
    onLoaded()
  } catch {
    // Browsers report the failure.
    if (nb_loads < MAX_SOON_LOADS) setTimeout(loadSecondFile, RETRY_DELAY_MS, onLoaded)
  }
  isLoading = false
}
