import { type ComponentType, lazy, useEffect, useState } from 'react'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'

/** Delay of the preload, so that the screen itself is loaded first. */
const FETCHED_AFTER_MS = 1_000

/**
 * A lazy part of a screen: preloaded soon after the first render, rendered once `show` is called. `show`
 * returns false when the part could not be loaded, after an alert.
 */
export const useLazyPart = <Part extends object>(
  load: () => Promise<Part>,
): { part: Part | null; show: () => Promise<boolean> } => {
  const { alert } = useDialogs()
  const [part, setPart] = useState<Part | null>(null)

  useEffect(() => {
    // Only a preload: a failure is shown by `show`.
    const timer = setTimeout(() => load().catch(() => null), FETCHED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [load])

  const show = async (): Promise<boolean> => {
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
  return { part, show }
}

/** A part of a form that few quizzes need, loaded when it is shown; `failure` stands in its place where it cannot be. */
export const lazyPart = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  failure: string,
) =>
  lazy(() =>
    load().catch((): { default: ComponentType<Props> } => ({
      default: () => (
        <p role="alert" className="text-sm text-bad">
          {failure} Vérifiez votre connexion, puis rechargez la page.
        </p>
      ),
    })),
  )
