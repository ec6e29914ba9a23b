import { TextLink } from '#web/ui/button.tsx'
import { Loading } from '#web/ui/feedback/screen-state.tsx'
import { resendConfirmation } from './confirmation-note.tsx'
import { AccountSwitchQuestion, Notice, useEmailLink } from './email-link.tsx'
import { EmailRequest, loginLink } from './email-request.tsx'

/** Renders the target of a new account's confirmation link. An expired link can be requested again. */
const ConfirmationPage = () => {
  const link = useEmailLink()
  if (link === 'opening') return <Loading text="Chargement..." />
  if (typeof link === 'object') return <AccountSwitchQuestion {...link} />
  if (link === 'one_of_two')
    return (
      <Notice title="Encore une adresse" entry={loginLink}>
        <p>C’est noté. Suivez aussi le lien du message envoyé à votre autre adresse.</p>
      </Notice>
    )
  if (link === 'open')
    return (
      <Notice
        title="Votre adresse est confirmée"
        entry={<TextLink to="/dashboard">Aller à mes quiz</TextLink>}
      >
        <p>Votre compte est prêt et ouvert.</p>
      </Notice>
    )
  return (
    <EmailRequest
      title="Ce lien n’est plus valable"
      action="Recevoir un nouveau lien"
      intro="Un lien ne sert qu’une fois, pendant une heure. Indiquez votre adresse pour en recevoir un autre ; si elle est déjà confirmée, connectez-vous."
      ask={resendConfirmation}
    />
  )
}

export default ConfirmationPage
