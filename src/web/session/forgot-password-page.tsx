import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { auth } from '#web/api/auth-client.ts'
import { authSettingsQuery } from './auth-settings.ts'
import { EmailRequest } from './email-request.tsx'

/** Renders the screen that sends a link to reset the password. */
const ForgotPasswordPage = () => {
  const { data: settings } = useQuery(authSettingsQuery())
  if (settings?.hasPasswords === false) return <Navigate to="/login" replace />
  return (
    <EmailRequest
      title="Mot de passe oublié"
      action="Recevoir un lien"
      intro="Indiquez l’adresse de votre compte : vous recevrez un lien pour choisir un nouveau mot de passe."
      ask={(email) =>
        auth.resetPasswordForEmail(email, { redirectTo: `${window.location.origin}/new-password` })
      }
    />
  )
}

export default ForgotPasswordPage
