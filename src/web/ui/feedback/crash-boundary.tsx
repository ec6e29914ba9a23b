import { Component, type ReactNode, useEffect } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'

const KEPT = 'Vos modifications sont gardées. Rechargez la page pour continuer.'

type Props = {
  children: ReactNode
  /** True if the children are a whole screen. */
  isScreen?: boolean
  /** Shown instead of the sentence in place of what has crashed. */
  fallback?: ReactNode
  /** A new value shows the children again, for example the path of another screen. */
  reset_key?: string | number
}
type State = { hasCrashed: boolean; reset_key?: string | number | undefined }

/**
 * Shows a sentence if its children crash, and reports the crash. The rest of the page continues to work, and the
 * browser keeps unsaved edits of a quiz (docs/decisions/012).
 */
export class CrashBoundary extends Component<Props, State> {
  static getDerivedStateFromError = (): Partial<State> => ({ hasCrashed: true })

  static getDerivedStateFromProps = ({ reset_key }: Props, state: State): State | null =>
    reset_key === state.reset_key ? null : { hasCrashed: false, reset_key }

  override state: State = { hasCrashed: false }

  override componentDidCatch(error: unknown): void {
    import('./report-crash.ts')
      .then(({ reportCrash }) => reportCrash(error))
      .catch((failure: unknown) => console.warn('The crash was not reported', failure))
  }

  override render(): ReactNode {
    const { children, isScreen, fallback } = this.props
    if (!this.state.hasCrashed) return children
    if (fallback) return fallback
    const text = `Un problème a interrompu ${isScreen ? 'cet ' : 'cette partie de l’'}écran.`
    return (
      <ReloadMessage
        title={isScreen ? text : undefined}
        text={isScreen ? KEPT : `${text} ${KEPT}`}
        onReload={reloadPage}
      />
    )
  }
}

/** Loads the page again. */
export const reloadPage = (): void => location.reload()

/** Renders a sentence about a part that cannot be shown, with a button that loads it again. */
export const ReloadMessage = ({
  title,
  text,
  onReload,
}: {
  /** Heading of the screen if the part is a whole screen. */
  title: string | undefined
  text: string
  onReload: () => void
}) => (
  <div role="alert" className="flex flex-wrap items-center gap-3 p-4">
    {title && <h1 className="w-full text-lg font-semibold">{title}</h1>}
    <p className="text-bad">{text}</p>
    <Button onClick={onReload}>Recharger</Button>
  </div>
)

/** Fallback of a dialog or a menu: asks in a dialog whether to reload the page. */
export const CrashedOverlay = (): null => {
  const { confirm } = useDialogs()
  useEffect(() => {
    void confirm(`Un problème a fermé cette fenêtre. ${KEPT}`, { confirm_label: 'Recharger' }).then(
      (isConfirmed) => isConfirmed && reloadPage(),
    )
  }, [confirm])
  return null
}
