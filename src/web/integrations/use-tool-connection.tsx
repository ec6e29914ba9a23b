import { type ReactNode, Suspense, useEffect, useState } from 'react'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { type KitScreen, PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { useKitConnection } from './use-kit-connection.ts'

const ConnectDialog = lazyPart(
  () => import('./connect-dialog.tsx'),
  'La connexion n’a pas pu être ouverte.',
)

/**
 * Opens the dialog that connects a tool. The element `next_id`, or else the heading of the screen, gets the focus if the
 * button has disappeared then.
 */
type OpenConnection = (provider: ProviderName, next_id?: string) => void

const findNext = (next_id: string | undefined): HTMLElement | null =>
  next_id === undefined ? document.querySelector('h1') : document.getElementById(next_id)

/**
 * Connects accounts at tools in a dialog of the current screen, to which Kit returns too. The caller renders `dialog`
 * and a `ConnectButton` for each tool.
 */
export const useToolConnection = ({
  onConnected,
  ...place
}: {
  quiz_id?: string | undefined
  screen: KitScreen
  /** Called with the sentence about the success. */
  onConnected: (words: string) => void
}): { connect: OpenConnection; dialog: ReactNode } => {
  const kit = useKitConnection({ ...place, onConnected })
  const [opened, setOpened] = useState<{ provider: ProviderName; next_id?: string | undefined }>()
  // Runs after the dialog has returned the focus to its button, if the button is still there.
  useEffect(() => {
    if (!opened) return
    return () => {
      if (document.activeElement === document.body)
        findNext(opened.next_id)?.focus({ preventScroll: true })
    }
  }, [opened])
  return {
    connect: (provider, next_id) => setOpened({ provider, next_id }),
    dialog: opened && (
      <Suspense>
        <ConnectDialog
          provider={opened.provider}
          kit={kit}
          onConnected={(words) => {
            setOpened(undefined)
            onConnected(words)
          }}
          onClose={() => setOpened(undefined)}
        />
      </Suspense>
    ),
  }
}

/** Renders the button that opens the connection of a tool. */
export const ConnectButton = ({
  provider,
  isConnected,
  connect,
  next_id,
}: {
  provider: ProviderName
  isConnected: boolean
  connect: OpenConnection
  next_id?: string
}) => {
  const ref = useFocusFallback<HTMLButtonElement>(() => findNext(next_id))
  return (
    <Button ref={ref} className="self-start" onClick={() => connect(provider, next_id)}>
      {`${isConnected ? 'Reconnecter' : 'Connecter'} ${PROVIDER_LABELS[provider]}`}
    </Button>
  )
}
