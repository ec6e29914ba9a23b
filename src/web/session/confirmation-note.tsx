import { useState } from 'react'
import { auth } from '#web/api/auth-client.ts'
import { Button } from '#web/ui/button.tsx'
import { authMessage } from './auth-labels.ts'

/** Sends the confirmation link of a new account again. The answer does not reveal whether an account has the address. */
export const resendConfirmation = (email: string): Promise<{ error: Error | null }> =>
  auth.resend({
    type: 'signup',
    email,
    options: { emailRedirectTo: `${window.location.origin}/confirmation` },
  })

/** Says that a confirmation link was sent to a new account's address, with a button that sends it again. */
export const ConfirmationNote = ({ email }: { email: string }) => {
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState('')

  const resend = async (): Promise<void> => {
    setBusy(true)
    setOutcome('')
    const { error } = await resendConfirmation(email)
    setBusy(false)
    setOutcome(
      error
        ? authMessage(error, 'Le message n’a pas pu être demandé')
        : 'Le message vient de repartir.',
    )
  }

  return (
    <div className="flex flex-col items-start gap-2 rounded-xl bg-brand-wash p-4 text-sm text-brand">
      <p>
        Ouvrez le lien envoyé à <strong className="break-all">{email}</strong> pour confirmer votre
        compte. Pensez à regarder dans les courriers indésirables.
      </p>
      <Button busy={isBusy} onClick={() => void resend()}>
        Renvoyer
      </Button>
      <p role="status">{outcome}</p>
    </div>
  )
}
