import { useEffect, useRef, useState } from 'react'

/** Maximum time that a click on « Publier » waits for the odds. */
const MAX_WAIT_MS = 1_000

/** Result of the odds check before a publication. */
export type PublishVerdict = {
  /** True if there are warnings against publishing; the button then says « Publier quand même ». */
  isDoubtful: boolean
  isWaiting: boolean
  /** Called by the odds with the result of the check; null while the odds are being computed. */
  tell: (isDoubtful: boolean | null) => void
  /** Resolves to true if a click may publish. Waits for the odds while they are being computed. */
  allows: () => Promise<boolean>
}

/**
 * Returns the result of the odds check for the publish button. A click waits at most a second for unfinished
 * odds, and closing the dialog cancels the wait.
 */
export const usePublishVerdict = ({
  isAwaited,
  isOpen,
}: {
  isAwaited: boolean
  isOpen: boolean
}): PublishVerdict => {
  const [verdict, setVerdict] = useState<boolean | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  /** Function that ends the wait of a click; called with null when the dialog closes. */
  const answer = useRef<(isDoubtful: boolean | null) => void>(null)
  useEffect(() => {
    if (!isOpen) return
    return () => answer.current?.(null)
  }, [isOpen])
  return {
    isDoubtful: isAwaited && verdict === true,
    isWaiting,
    tell: (isDoubtful) => {
      setVerdict(isDoubtful)
      if (isDoubtful !== null) answer.current?.(isDoubtful)
    },
    allows: async () => {
      if (!isAwaited || verdict !== null) return true
      setWaiting(true)
      const isDoubtful = await new Promise<boolean | null>((resolve) => {
        answer.current = resolve
        setTimeout(() => resolve(false), MAX_WAIT_MS)
      })
      setWaiting(false)
      return isDoubtful === false
    },
  }
}
