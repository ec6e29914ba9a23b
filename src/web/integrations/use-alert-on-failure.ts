import { useState } from 'react'
import { RefusedCall } from '#contract/client/client.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'

const UNKNOWN = 'Erreur inconnue'

/** Returns the sentence for a failure: the server's own, or else the fallback (product 14.3). */
export const failureText = (error: unknown, fallback: string): string =>
  error instanceof RefusedCall && error.message !== UNKNOWN ? error.message : fallback

/** Runs the action of a button, one at a time, and shows its outcome in an alert (product 14.3). */
export const useAlertOnFailure = () => {
  const { alert } = useDialogs()
  const [isBusy, setBusy] = useState(false)
  const run = async (
    act: () => Promise<string | undefined>,
    { failure }: { failure: string },
  ): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      const done = await act()
      setBusy(false)
      if (done) await alert(done)
    } catch (error) {
      setBusy(false)
      await alert(failureText(error, failure), { title: 'Erreur' })
    }
  }
  return { run, isBusy }
}
