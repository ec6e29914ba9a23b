import { type ChannelName, isTool, type ProviderName } from '#domain/common/vocabulary.ts'
import { noConsentReason, quoteNames, webhookAttention } from './delivery-labels.ts'
import { PROVIDER_LABELS } from './integrations.ts'

/** Delivery that a trial run would cause at one channel. */
type TrialDelivery = {
  provider: ChannelName
  status: 'pending' | 'no_email' | 'no_consent' | 'awaiting_confirmation'
  connection: 'active' | 'needs_attention' | 'paused'
  status_reason: string | null
}

/**
 * Returns the French reason why nothing would be sent, or why the delivery would wait. Null if it would be sent at
 * once.
 */
export const describeSendingProblem = (
  { provider, status, connection, status_reason }: TrialDelivery,
  consent_version: number | null,
): string | null => {
  if (status === 'no_email')
    return 'Rien ne serait envoyé : aucune adresse email complète n’a été donnée.'
  if (status === 'no_consent') return `Rien ne serait envoyé. ${noConsentReason(consent_version)}`
  if (status === 'awaiting_confirmation')
    return 'L’envoi attendrait que le participant confirme son adresse.'
  if (connection === 'paused') return 'L’envoi attendrait : ce webhook est en pause.'
  if (connection !== 'needs_attention') return null
  return isTool(provider)
    ? `L’envoi attendrait que ${PROVIDER_LABELS[provider]} soit reconnecté.`
    : `L’envoi attendrait. ${webhookAttention(status_reason ?? '')}`
}

/** Reason why a run without a result gets no result mail. */
export const NO_RESULT_TO_MAIL =
  'Rien ne serait envoyé : aucun résultat ne correspond à ces réponses.'

/** Reason why a creator without an address gets no notification mail. */
export const NO_ADDRESS_TO_TELL = 'Rien ne serait envoyé : votre compte n’a pas d’adresse email.'

/** Reason why an invalid address gets no mail. */
export const UNREACHABLE_ADDRESS =
  'Rien ne serait envoyé : cette adresse ne peut pas recevoir d’emails.'

/** Returns the reason why a connected tool gets nothing, because the quiz does not forward to it. */
export const toolNotEnabled = (provider: ProviderName): string =>
  `Rien ne serait envoyé : ${PROVIDER_LABELS[provider]} n’est pas activé pour ce questionnaire.`

/** Returns the sentence about fields that the first delivery would create. */
export const fieldsToCreate = (provider: ProviderName, names: readonly string[]): string => {
  const quoted = quoteNames(names)
  return names.length === 1
    ? `Le champ ${quoted} serait d’abord créé dans ${PROVIDER_LABELS[provider]}.`
    : `Les champs ${quoted} seraient d’abord créés dans ${PROVIDER_LABELS[provider]}, s’ils n’y sont pas.`
}
