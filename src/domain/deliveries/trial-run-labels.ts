import { type ChannelName, isTool, type ProviderName } from '#domain/common/vocabulary.ts'
import { noConsentReason, webhookAttention } from './delivery.ts'
import { PROVIDER_LABELS } from './integrations.ts'

/** What would become of a participant who answered as in a test, at one place. */
type Aimed = {
  provider: ChannelName
  status: 'pending' | 'no_email' | 'no_consent'
  connection: 'active' | 'needs_attention' | 'paused'
  status_reason: string | null
}

/** Why nothing would be sent there, or what a delivery would wait for; null where it would go at once. */
export const whyNotSent = (
  { provider, status, connection, status_reason }: Aimed,
  consent_version: number | null,
): string | null => {
  if (status === 'no_email')
    return 'Rien ne serait envoyé : aucune adresse email complète n’a été donnée.'
  if (status === 'no_consent') return `Rien ne serait envoyé. ${noConsentReason(consent_version)}`
  if (connection === 'paused') return 'L’envoi attendrait : ce webhook est en pause.'
  if (connection !== 'needs_attention') return null
  return isTool(provider)
    ? `L’envoi attendrait que ${PROVIDER_LABELS[provider]} soit reconnecté.`
    : `L’envoi attendrait. ${webhookAttention(status_reason ?? '')}`
}

/** Of the mail with a result, to a run that has none. */
export const NO_RESULT_TO_MAIL =
  'Rien ne serait envoyé : aucun résultat ne correspond à ces réponses.'

/** Of the mail that tells a creator, who has no address. */
export const NO_ADDRESS_TO_TELL = 'Rien ne serait envoyé : votre compte n’a pas d’adresse email.'

/** Of an address that no mail is sent to. */
export const UNREACHABLE_ADDRESS =
  'Rien ne serait envoyé : cette adresse ne peut pas recevoir d’emails.'

/** Of a tool that is connected, and that the quiz does not forward to. */
export const toolNotEnabled = (provider: ProviderName): string =>
  `Rien ne serait envoyé : ${PROVIDER_LABELS[provider]} n’est pas activé pour ce quiz.`

/** Of fields that were not written into yet. */
export const fieldsToCreate = (provider: ProviderName, names: readonly string[]): string => {
  const quoted = names.map((name) => `« ${name} »`).join(', ')
  return names.length === 1
    ? `Le champ ${quoted} serait d’abord créé dans ${PROVIDER_LABELS[provider]}.`
    : `Les champs ${quoted} seraient d’abord créés dans ${PROVIDER_LABELS[provider]}, s’ils n’y sont pas.`
}
