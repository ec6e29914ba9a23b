/** The service speaks English on the wire; these are its codes in French (decisions « Language »). */
const MESSAGES: Record<string, string> = {
  invalid_credentials: 'Email ou mot de passe incorrect',
  email_not_confirmed: 'Confirmez d’abord votre adresse avec le lien reçu par email',
  user_already_exists: 'Un compte existe déjà avec cette adresse',
  email_exists: 'Un compte existe déjà avec cette adresse',
  weak_password: 'Le mot de passe doit contenir au moins 6 caractères',
  validation_failed: 'L’adresse email ou le mot de passe n’est pas valide',
  signup_disabled: 'Les inscriptions sont fermées',
  over_request_rate_limit: 'Trop de tentatives : réessayez dans quelques minutes',
  user_banned: 'Ce compte est suspendu',
}

/** What to show of a refusal: its code in French, else the server's words, else the given sentence. */
export const authMessage = (
  error: { code?: string; message?: string; name?: string },
  fallback: string,
): string => {
  const known = error.code === undefined ? undefined : MESSAGES[error.code]
  if (known) return known
  // The client's words for a network failure are the browser's, and in English.
  return error.name === 'AuthRetryableFetchError' ? fallback : error.message || fallback
}
