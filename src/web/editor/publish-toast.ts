import { useEffect, useState } from 'react'
import { TOAST_MS, type Toast } from '#web/ui/toasts.tsx'

type Outcome = 'published' | 'failed'

/** The outcome of the last publication: a success is shown for some seconds, a failure until it is opened. */
export const usePublishOutcome = (): {
  outcome: Outcome | null
  show: (outcome: Outcome | null) => void
} => {
  const [shown, setShown] = useState<{ outcome: Outcome } | null>(null)
  useEffect(() => {
    if (shown?.outcome !== 'published') return
    const timer = setTimeout(() => setShown(null), TOAST_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return {
    outcome: shown?.outcome ?? null,
    show: (outcome) => setShown(outcome && { outcome }),
  }
}

/** The toast of a publication; a failure needs one only when its dialog was closed. */
export const publishToast = (
  outcome: Outcome | null,
  { isAsked, share, explain }: { isAsked: boolean; share: () => void; explain: () => void },
): Toast[] => {
  if (outcome === null || isAsked) return []
  return outcome === 'published'
    ? [{ key: outcome, text: 'Quiz publié', action: 'Partager', act: share }]
    : [{ key: outcome, text: 'Erreur lors de la publication', action: 'Voir', act: explain }]
}
