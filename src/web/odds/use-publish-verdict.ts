import { useEffect, useRef, useState } from 'react'

/** How long a press of the button waits for the odds. */
const LONGEST_WAIT_MS = 1_000

export type PublishVerdict = {
  /** Whether something speaks against publishing; the button says so. */
  isDoubtful: boolean
  isWaiting: boolean
  /** Told by the odds once they are known; null while they are not. */
  tell: (isDoubtful: boolean | null) => void
  /** True when a press may publish: at once where that was known before, else after a moment at most. */
  allows: () => Promise<boolean>
}

/**
 * What the odds say of a publication. The button answers at any time, and a press waits for them but a moment; once
 * the dialog is closed, no press waits any more.
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
  /** Ends the wait of a press; null where nothing is to be published any more. */
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
        setTimeout(() => resolve(false), LONGEST_WAIT_MS)
      })
      setWaiting(false)
      return isDoubtful === false
    },
  }
}
