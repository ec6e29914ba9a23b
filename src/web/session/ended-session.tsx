import type { User } from '@supabase/auth-js'
import { type FormEvent, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { PasswordField } from './credentials-form.tsx'
import { useSession } from './session.tsx'
import { useAction } from './use-action.ts'

/**
 * Asks to sign in again, over the screen whose session has ended. The screen stays and continues once the same
 * account has signed in. Any other way of signing in goes through the login screen.
 */
export const EndedSession = ({ user }: { user: User }) => {
  const { abandon } = useSession()
  return (
    <Dialog
      title="Votre session a pris fin"
      role="alertdialog"
      isRequired
      open
      onClose={() => undefined}
    >
      <p className="mb-4">
        Elle a expiré, ou un autre appareil l’a fermée. Reconnectez-vous pour continuer ici : ce que
        vous avez saisi est gardé.
      </p>
      {user.email ? (
        <PasswordAgain email={user.email} />
      ) : (
        <Button variant="primary" onClick={abandon}>
          Se reconnecter
        </Button>
      )}
    </Dialog>
  )
}

const PasswordAgain = ({ email }: { email: string }) => {
  const { signIn, abandon } = useSession()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const { run, isBusy, failed, forget } = useAction('Erreur lors de la connexion')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (password === '') setError('Le mot de passe est obligatoire')
    else
      run(async () => {
        await signIn({ email, password })
        return undefined
      })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField label="Email" type="email" value={email} readOnly autoComplete="username" />
      <PasswordField
        label="Mot de passe"
        value={password}
        error={error}
        autoComplete="current-password"
        onChange={(typed) => {
          setPassword(typed)
          setError(undefined)
          forget()
        }}
      />
      <p role="alert" className="text-sm text-bad empty:hidden">
        {failed}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="ghost" onClick={abandon}>
          Se connecter autrement
        </Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          {isBusy ? 'Connexion...' : 'Se reconnecter'}
        </Button>
      </div>
    </form>
  )
}
