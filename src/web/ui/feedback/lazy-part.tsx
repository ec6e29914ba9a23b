import { type ComponentType, lazy, useEffect, useState } from 'react'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'

/** Delay of a preload, so that the screen itself is loaded first. */
export const PRELOAD_DELAY_MS = 1_000

/**
 * Loads a part of a screen soon after the first render. `show` resolves to true when the part can be rendered, or
 * shows an alert and resolves to false.
 */
export const useLazyPart = <Part extends object>(
  load: () => Promise<Part>,
): { part: Part | null; show: () => Promise<boolean> } => {
  const { alert } = useDialogs()
  const [part, setPart] = useState<Part | null>(null)

  useEffect(() => {
    // Failures of the preload are ignored, because `show` reports them.
    const timer = setTimeout(() => load().catch(() => null), PRELOAD_DELAY_MS)
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

/**
 * Returns a component that is loaded when it is first rendered, for parts of a form that few quizzes need. Shows the
 * `failure` text if it cannot be loaded.
 */
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
