import { type ComponentType, lazy, useEffect, useState } from 'react'
import { MissingFileError } from '#web/api/load-files.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { CrashBoundary, CrashedOverlay, ReloadMessage, reloadPage } from './crash-boundary.tsx'

/** Delay of a preload, so that the screen itself is loaded first. */
export const PRELOAD_DELAY_MS = 1_000

/** Text about a file that an upgrade of the server has replaced. */
const UPGRADED = 'Quizaine a été mis à jour. Rechargez la page : vos modifications sont gardées.'

/** Returns a function that explains why a window could not be loaded, and offers a reload after an upgrade. */
export const useLoadFailure = (): ((error: unknown, text: string) => Promise<void>) => {
  const { alert, confirm } = useDialogs()
  return async (error, text) => {
    if (!(error instanceof MissingFileError))
      await alert(`${text} Vérifiez votre connexion, puis réessayez.`)
    else if (await confirm(UPGRADED, { confirm_label: 'Recharger' })) reloadPage()
  }
}

/** Counts how often a part was shown, so that it is tried again after a crash. */
type Attempts = { count: number }

/** Returns the module with a boundary around each of its components. */
const guardParts = <Part extends object>(part: Part, attempts: Attempts): Part =>
  Object.fromEntries(
    Object.entries(part as Record<string, ComponentType>).map(([name, Guarded]) => [
      name,
      (props: object) => (
        <CrashBoundary fallback={<CrashedOverlay />} reset_key={attempts.count}>
          <Guarded {...props} />
        </CrashBoundary>
      ),
    ]),
  ) as Part

/**
 * Loads a dialog of a screen soon after the first render; its components are rendered as `part.Name`. `show` resolves to true
 * when the dialog can be rendered, or shows an alert and resolves to false.
 */
export const useLazyPart = <Part extends object>(
  load: () => Promise<Part>,
): { part: Part | null; show: () => Promise<boolean> } => {
  const explain = useLoadFailure()
  const [attempts] = useState<Attempts>({ count: 0 })
  const [shown, setShown] = useState<{ loaded: Part; part: Part } | null>(null)

  useEffect(() => {
    // Failures of the preload are ignored, because `show` reports them.
    const timer = setTimeout(() => load().catch(() => null), PRELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [load])

  const show = async (): Promise<boolean> => {
    try {
      const loaded = await load()
      attempts.count++
      setShown((known) => ({
        loaded,
        part: known?.loaded === loaded ? known.part : guardParts(loaded, attempts),
      }))
      return true
    } catch (error) {
      await explain(error, 'Cette fenêtre n’a pas pu être chargée.')
      return false
    }
  }
  return { part: shown?.part ?? null, show }
}

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

type Options = {
  /** Sentence about a failed loading. */
  failure: string
  /** Heading of a part that is a whole screen. */
  title?: string
}

/** Creates the component that stands for a part that could not be loaded, until it can be. */
const createRetry =
  <Props extends object>(load: Load<Props>, { failure, title }: Options) =>
  (first_error: unknown): ComponentType<Props> => {
    let loaded: ComponentType<Props> | undefined
    return (props) => {
      const [error, setError] = useState(first_error)
      const Part = loaded
      if (Part) return <Part {...props} />
      const isMissing = error instanceof MissingFileError
      const retry = async (): Promise<void> => {
        try {
          loaded = (await load()).default
          setError(null)
        } catch (again) {
          setError(again)
        }
      }
      return (
        <ReloadMessage
          title={title}
          text={isMissing ? UPGRADED : `${failure} Vérifiez votre connexion.`}
          onReload={isMissing ? reloadPage : retry}
        />
      )
    }
  }

const createLazy = <Props extends object>(
  load: Load<Props>,
  options: Options,
): ComponentType<Props> => {
  const createFailed = createRetry(load, options)
  const Part = lazy(() =>
    load().catch((error: unknown) =>
      options.title && error instanceof MissingFileError && reloadOnce()
        ? new Promise<never>(() => undefined)
        : { default: createFailed(error) },
    ),
  ) as unknown as ComponentType<Props>
  return (props) => (
    <CrashBoundary isScreen={!!options.title} reset_key={location.pathname}>
      <Part {...props} />
    </CrashBoundary>
  )
}

/** Key under which the tab remembers the release that it was reloaded from. */
const RELOADED_KEY = 'quizaine-reloaded'

/** Reloads the page once for each release. Returns false if this release was reloaded already. */
const reloadOnce = (): boolean => {
  const release = document.querySelector('script[src]')?.getAttribute('src') ?? ''
  if (sessionStorage.getItem(RELOADED_KEY) === release) return false
  sessionStorage.setItem(RELOADED_KEY, release)
  reloadPage()
  return true
}

/**
 * Returns a component that is loaded when it is first rendered. Shows the `failure` text with a button if it cannot be
 * loaded, and a sentence if it crashes.
 */
export const lazyPart = <Props extends object>(load: Load<Props>, failure: string) =>
  createLazy(load, { failure })

/**
 * Returns a screen that is loaded when it is first shown. After an upgrade of the server the page is loaded again, once
 * for each release. A screen that cannot be loaded, or that crashes, shows a sentence with a button.
 */
export const lazyScreen = <Props extends object>(load: Load<Props>) =>
  createLazy(load, { failure: 'Cet écran n’a pas pu être chargé.', title: 'Écran non chargé' })
