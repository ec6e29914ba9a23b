import { useEffect, useEffectEvent, useRef } from 'react'
import { useSearchParams } from 'react-router'
import {
  KIT_RETURN_LABELS,
  type KitScreen,
  readKitReturn,
} from '#domain/deliveries/integrations.ts'
import { client } from '#web/api/client.ts'
import { clearReturnPath } from '#web/session/return-path.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { useAlertOnFailure } from './use-alert-on-failure.ts'

type ConnectOptions = { return_to?: string | undefined; replace_account?: 'true' }

/**
 * Connects Kit with OAuth, and handles a return from Kit once: shows the outcome of the consent, or starts the consent.
 * Kit returns to the given screen, or else to the account settings.
 */
export const useKitConnection = ({
  quiz_id,
  screen,
  onConnected,
}: {
  quiz_id?: string | undefined
  screen?: KitScreen
  onConnected: (words: string) => void
}): { connect: (how?: ConnectOptions) => Promise<void>; isBusy: boolean } => {
  const { alert, confirm } = useDialogs()
  const { run, isBusy } = useAlertOnFailure()
  const [query, setQuery] = useSearchParams()
  const connect = (how: ConnectOptions = {}): Promise<void> =>
    run(
      async () => {
        const { auth_url } = await client.integrations.connectKit({ ...how, quiz_id, screen })
        window.location.assign(auth_url)
        return undefined
      },
      { failure: 'Erreur lors de la connexion' },
    )

  const returned = query.get('convertkit')
  const handleReturn = useEffectEvent(async (word: string): Promise<void> => {
    const return_to = query.get('redirect') ?? undefined
    clearReturnPath()
    setQuery(
      (all) => {
        for (const name of ['convertkit', 'reason', 'redirect']) all.delete(name)
        return all
      },
      { replace: true },
    )
    if (word === 'install') return connect({ return_to })
    const outcome = readKitReturn(word, query.get('reason'))
    const words = KIT_RETURN_LABELS[outcome]
    if (outcome === 'ok') return onConnected(words)
    if (outcome !== 'other') return alert(words, { title: 'Erreur' })
    if (await confirm(words, { confirm_label: 'Connecter cet autre compte' }))
      return connect({ replace_account: 'true' })
  })
  const isHandled = useRef(false)
  useEffect(() => {
    if (returned === null || isHandled.current) return
    isHandled.current = true
    void handleReturn(returned)
  }, [returned])
  return { connect, isBusy }
}
