import { useEffect, useState } from 'react'
import { useDialogs } from './dialogs.tsx'

/** The screen itself comes first. */
const FETCHED_AFTER_MS = 1_000

/**
 * A part of a screen that its first sight does without: fetched soon after it, or when it is asked for.
 * `bring` settles once it is there; false when it could not be fetched, which has then been said.
 */
export const useLater = <Part>(
  load: () => Promise<Part>,
): { part: Part | null; bring: () => Promise<boolean> } => {
  const { alert } = useDialogs()
  const [part, setPart] = useState<Part | null>(null)

  useEffect(() => {
    // Only to have it at hand: a failure is told when it is asked for.
    const timer = setTimeout(() => load().catch(() => null), FETCHED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [load])

  const bring = async (): Promise<boolean> => {
    try {
      const loaded = await load()
      setPart(() => loaded)
      return true
    } catch {
      await alert(
        'Cette fenêtre n’a pas pu être chargée. Vérifiez votre connexion, puis réessayez.',
      )
      return false
    }
  }
  return { part, bring }
}
