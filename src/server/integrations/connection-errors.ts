import type { ProviderName } from '#domain/common/vocabulary.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { ApiError, conflict, invalid, unavailable } from '#server/http/edge/errors.ts'
import type { CredentialProblem, Failure } from './providers/provider.ts'
import type { ReplacedAccount } from './replace-account.store.ts'

const SILENT = 'L’outil ne répond pas, réessayez dans quelques minutes.'
const SMTP_KEY = /^xsmtpsib-/

const blockedSentence = (label: string, ip: string | undefined): string =>
  `${label} refuse notre adresse IP${ip ? ` (${ip})` : ''}. Autorisez-la dans ${label} > Sécurité > IP autorisées, puis réessayez.`

/** Returns the sentence that tells the creator how to repair a refused account. */
export const describeAccountProblem = (
  provider: ProviderName,
  { code, ip }: Pick<CredentialProblem, 'ip'> & { code: string },
): string => {
  const label = PROVIDER_LABELS[provider]
  if (code === 'reconnect')
    return `Reconnectez ${label} : l’autorisation a expiré ou a été retirée.`
  if (code === 'ip_blocked') return blockedSentence(label, ip)
  if (code === 'forbidden')
    return provider === 'convertkit'
      ? 'Kit refuse l’accès aux contacts : vérifiez votre offre, puis réessayez.'
      : 'Cette clé n’a pas accès aux contacts.'
  if (code === 'payment_required')
    return `${label} refuse les envois : vérifiez vos crédits ou votre abonnement.`
  return `${label} n’accepte plus la clé API : enregistrez-en une nouvelle.`
}

/** Returns the error for a key that is not stored: 422 if the tool rejects the key, 503 if the tool is unreachable. */
export const createKeyError = (provider: ProviderName, key: string, failure: Failure): ApiError => {
  if (failure.kind !== 'credential') return silent()
  if (failure.code !== 'invalid_key')
    return new ApiError(422, failure.code, describeAccountProblem(provider, failure))
  return provider === 'brevo' && SMTP_KEY.test(key)
    ? new ApiError(422, 'smtp_key', 'Ceci ressemble à une clé SMTP ; créez une clé API.')
    : new ApiError(422, 'invalid_key', 'Clé API invalide ou expirée.')
}

const REASONS: Record<string, string> = {
  field_of_another_type: 'un champ de ce nom existe déjà avec un autre type',
  result_field_refused: 'l’outil refuse ce nom, ou votre offre n’en permet pas plus',
}

/** Returns the error for a quiz that cannot forward yet. */
export const createFieldError = (
  provider: ProviderName,
  name: string,
  failure: Failure,
): ApiError => {
  if (failure.kind === 'credential') return createAccountError(provider, failure)
  if (failure.kind !== 'permanent') return silent()
  const reason = REASONS[failure.code] ?? 'l’outil l’a refusé'
  return invalid(`Le champ « ${name} » n’a pas pu être créé : ${reason}.`)
}

/** Returns a 503 for a tool that is unreachable or answers in an unknown form. */
export const silent = (): ApiError =>
  new ApiError(503, 'provider_unavailable', SILENT, { headers: unavailable(60).headers })

/** Returns a 409 for an account that the tool refuses. */
export const createAccountError = (provider: ProviderName, problem: CredentialProblem): ApiError =>
  conflict(problem.code, describeAccountProblem(provider, problem))

/** Returns a 409 for a key of an account other than the connected one. */
export const createOtherAccountError = (
  provider: ProviderName,
  { vendor_email: email, nb_waiting }: ReplacedAccount,
  next_email: string | null,
): ApiError => {
  const label = PROVIDER_LABELS[provider]
  const waiting =
    nb_waiting === 0
      ? 'Les prochains participants y seraient envoyés.'
      : `${nb_waiting > 1 ? `Les ${nb_waiting} participants en attente` : 'Le participant en attente'} et les suivants y seraient envoyés.`
  return conflict(
    'other_account',
    `Cette clé ouvre un autre compte ${label}${next_email ? ` (${next_email})` : ''} que celui qui était connecté${email ? ` (${email})` : ''}. ${waiting}`,
  )
}

/** Returns a 409 for an account that is not connected. */
export const createNotConnectedError = (): ApiError =>
  conflict('not_connected', 'Connectez d’abord votre compte.')

/** Returns a 409 if this server has no application at Kit. */
export const createNotOfferedError = (): ApiError =>
  conflict('not_configured', 'La connexion à Kit n’est pas disponible sur ce serveur.')
