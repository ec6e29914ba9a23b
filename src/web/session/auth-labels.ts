/** French sentences for the error codes of the auth service (product 12.5). */
const MESSAGES: Record<string, string> = {
  invalid_credentials: 'Email ou mot de passe incorrect',
  email_not_confirmed: 'Confirmez d’abord votre adresse avec le lien reçu par email',
  user_already_exists: 'Un compte existe déjà avec cette adresse',
  email_exists: 'Un compte existe déjà avec cette adresse',
  validation_failed: 'L’adresse email ou le mot de passe n’est pas valide',
  signup_disabled: 'Les inscriptions sont fermées',
  email_provider_disabled: 'Les mots de passe ne sont pas acceptés ici',
  same_password: 'Choisissez un mot de passe différent de l’ancien',
  session_not_found: 'Votre lien n’est plus valable : demandez-en un autre',
  over_email_send_rate_limit: 'Un message vient déjà de partir : réessayez dans une minute',
  over_request_rate_limit: 'Trop de tentatives : réessayez dans quelques minutes',
  user_banned: 'Ce compte est suspendu',
  current_password_required: 'Indiquez votre mot de passe actuel',
  current_password_invalid: 'Le mot de passe actuel n’est pas le bon',
  reauthentication_needed: 'Saisissez le code reçu par email',
  reauthentication_not_valid: 'Ce code n’est pas le bon, ou il a expiré',
  otp_expired: 'Ce code n’est pas le bon, ou il a expiré',
  insufficient_aal: 'Connectez-vous avec votre second facteur, puis réessayez',
  mfa_verification_failed: 'Ce code n’est pas le bon : saisissez le suivant',
  mfa_challenge_expired: 'Ce code a expiré : recommencez',
  mfa_factor_name_conflict: 'Ce nom est déjà utilisé par un autre facteur',
  mfa_factor_not_found: 'Ce second facteur n’existe plus',
  too_many_enrolled_mfa_factors: 'Vous avez déjà dix seconds facteurs',
  mfa_verified_factor_exists: 'Ce numéro est déjà votre second facteur',
  phone_exists: 'Un compte existe déjà avec ce numéro',
  phone_provider_disabled: 'Les numéros de téléphone ne sont pas acceptés ici',
  over_sms_send_rate_limit: 'Un code vient déjà de partir : réessayez dans une minute',
  sms_send_failed: 'Le SMS n’a pas pu être envoyé : réessayez plus tard',
  identity_already_exists: 'Ce compte est déjà relié à un autre utilisateur',
  identity_not_found: 'Ce moyen de connexion n’existe plus',
  single_identity_not_deletable: 'Gardez au moins un moyen de connexion',
  email_conflict_identity_not_deletable:
    'L’adresse de l’autre moyen de connexion est déjà celle d’un autre compte',
  manual_linking_disabled: 'Les moyens de connexion ne se changent pas ici',
  mfa_ip_address_mismatch: 'Ce code a déjà servi, ou vient d’un autre endroit : recommencez',
}

/** Returns true if the auth service refused a call with this code. */
export const isRefusal = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

type Refusal = { code?: string; message?: string; name?: string; reasons?: string[] }

/**
 * Returns the sentence for a weak password. An installation may require more than the six characters of the
 * specification.
 */
const weakness = ({ message = '', reasons = [] }: Refusal): string => {
  if (reasons.includes('pwned')) return 'Ce mot de passe est trop courant : choisissez-en un autre'
  return message.includes('at least 6 ')
    ? 'Le mot de passe doit contenir au moins 6 caractères'
    : 'Choisissez 12 caractères, ou 8 en mêlant majuscules, minuscules, chiffres ou signes'
}

/** Returns the sentence for a refusal: by its code, or else the server's message, or else the fallback. */
export const authMessage = (error: Refusal, fallback: string): string => {
  if (error.code === 'weak_password') return weakness(error)
  if (error.name === 'AuthSessionMissingError')
    return 'Votre session a pris fin : reconnectez-vous, puis réessayez'
  const known = error.code === undefined ? undefined : MESSAGES[error.code]
  if (known) return known
  // The client passes on the browser's English messages for network and security key failures.
  const isOfBrowser = /^(?:AuthRetryable|AuthUnknown|WebAuthn|NotAllowed|Abort)/.test(
    error.name ?? '',
  )
  return isOfBrowser ? fallback : error.message || fallback
}
