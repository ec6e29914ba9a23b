import { useEffect, useRef, useState } from 'react'

/** Maximum milliseconds that a click on « Publier » waits for the odds. */
const MAX_WAIT_MS = 1_000

/** Check before a publication whether the odds of the draft have warnings. */
export type OddsCheck = {
  /** True if the odds have warnings; the button is then labelled « Publier quand même ». */
  hasWarnings: boolean
  /** True while a click waits for the odds. */
  isWaiting: boolean
  /** Stores whether the odds have warnings; null while the odds are being computed. */
  report: (hasWarnings: boolean | null) => void
  /**
   * Waits for unfinished odds after a click. Resolves to false if the odds have warnings or the dialog was closed.
   * Resolves to true at once if the result is known, even with warnings, or if the check is disabled.
   */
  confirmPublication: () => Promise<boolean>
}

/**
 * Returns the odds check of the publish dialog. A click waits at most MAX_WAIT_MS for unfinished odds, then publishes. A
 * click on « Publier quand même » publishes despite the warnings.
 */
export const useOddsCheck = ({
  isEnabled,
  isOpen,
}: {
  isEnabled: boolean
  isOpen: boolean
}): OddsCheck => {
  const [result, setResult] = useState<boolean | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  /** Function that ends the wait of a click: with null if the dialog closes, otherwise with the result. */
  const endWait = useRef<(hasWarnings: boolean | null) => void>(null)
  useEffect(() => {
    if (!isOpen) return
    return () => endWait.current?.(null)
  }, [isOpen])
  return {
    hasWarnings: isEnabled && result === true,
    isWaiting,
    report: (hasWarnings) => {
      setResult(hasWarnings)
      if (hasWarnings !== null) endWait.current?.(hasWarnings)
    },
    confirmPublication: async () => {
      if (!isEnabled || result !== null) return true
      setWaiting(true)
      const hasWarnings = await new Promise<boolean | null>((resolve) => {
        endWait.current = resolve
        setTimeout(() => resolve(false), MAX_WAIT_MS)
      })
      setWaiting(false)
      return hasWarnings === false
    },
  }
}
