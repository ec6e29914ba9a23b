import { useState } from 'react'
import { useNavigate } from 'react-router'
import { auth } from '#web/api/auth-client.ts'
import { Loading } from '#web/ui/screen-state.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { authMessage } from './auth-messages.ts'
import { CredentialsForm, type Errors, focusFirstError } from './credentials-form.tsx'
import { useMailLink } from './mail-link.ts'
import { toLogin } from './mail-request.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { Notice } from './notice.tsx'
import { OtherAccountQuestion } from './other-account.tsx'
import { SecondFactor } from './second-factor.tsx'
import { useSession } from './session.tsx'
import { passwordErrors } from './signup-errors.ts'

/** The target of the link of a forgotten password, which signs in; a new password is chosen here. */
const NewPasswordPage = () => {
  const link = useMailLink()
  const navigate = useNavigate()
  const { needsFactor } = useSession()
  const [typed, setTyped] = useState({ password: '', confirmation: '' })
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)

  if (link === 'opening') return <Loading text="Chargement..." />
  if (typeof link === 'object') return <OtherAccountQuestion {...link} />
  if (link !== 'open')
    return (
      <Notice title="Ce lien n’est plus valable" way={toLogin}>
        <p>Un lien ne sert qu’une fois, pendant une heure.</p>
        <p>
          <TextLink to="/forgot-password">Recevoir un nouveau lien</TextLink>
        </p>
      </Notice>
    )

  if (needsFactor) return <SecondFactor title="Nouveau mot de passe" />

  const change = (changes: Partial<typeof typed>): void => {
    setTyped({ ...typed, ...changes })
    setErrors({})
  }
  const submit = async (): Promise<void> => {
    const found = passwordErrors(typed)
    setErrors(found)
    if (Object.values(found).some(Boolean)) return focusFirstError()
    setBusy(true)
    const { error } = await auth.updateUser({ password: typed.password })
    setBusy(false)
    if (error) setErrors({ form: authMessage(error, 'Le mot de passe n’a pas pu être changé') })
    else navigate('/dashboard')
  }
  return (
    <CredentialsForm
      title="Nouveau mot de passe"
      action="Changer le mot de passe"
      busy_action="Enregistrement..."
      isBusy={isBusy}
      error={errors.form}
      onSubmit={submit}
      other={toLogin}
    >
      <NewPasswordFields
        labels={{ password: 'Nouveau mot de passe', confirmation: 'Confirmer le mot de passe' }}
        value={typed}
        errors={errors}
        onChange={change}
      />
    </CredentialsForm>
  )
}

export default NewPasswordPage
