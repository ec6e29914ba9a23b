import type { DeliveryStatus } from './delivery.ts'
import { type RefusedEnrolment, refusedEnrolmentSentence } from './enrolment-kinds.ts'

/** Labels of delivery states, as creators read them. */
export const DELIVERY_LABELS: Record<DeliveryStatus, string> = {
  delivered: 'Envoyé',
  pending: 'En attente',
  refused: 'Refusé',
  suppressed: 'Désinscrit',
  no_consent: 'Sans consentement',
  no_email: 'Sans email',
  awaiting_confirmation: 'À confirmer',
  not_confirmed: 'Adresse non confirmée',
}

const REASONS: Record<string, string> = {
  invalid_email: 'L’adresse n’existe pas ou ne peut pas recevoir d’emails.',
  refused: 'L’outil a refusé ce contact.',
  duplicate: 'Un autre contact de l’outil a déjà ces coordonnées.',
  field_of_another_type: 'Le champ du résultat existe déjà avec un autre type.',
  result_field_refused: 'L’outil n’accepte pas le champ du résultat.',
  field_missing: 'Le champ du résultat a disparu de l’outil.',
  contact_missing: 'Le contact a disparu de l’outil.',
  label_refused: 'Envoyé, mais l’outil a refusé un tag, une liste ou une inscription.',
  field_refused: 'Envoyé, mais l’outil a refusé un champ.',
  // Codes that only deliveries of earlier releases have.
  tag_missing: 'Le tag du résultat a disparu de l’outil.',
  tag_refused: 'Envoyé sans le tag : l’outil n’en accepte pas d’autre.',
  // Codes of failed attempts, and of contacts who unsubscribed or were erased.
  timeout: 'L’outil n’a pas répondu à temps.',
  network: 'L’outil est injoignable.',
  too_many_requests: 'L’outil demande de ralentir.',
  internal: 'Un incident de notre côté : l’envoi sera refait.',
  invalid_key: 'La clé API n’est plus acceptée.',
  reconnect: 'L’autorisation a expiré ou a été retirée.',
  ip_blocked: 'L’outil refuse notre adresse IP.',
  forbidden: 'Le compte n’a pas accès aux contacts.',
  payment_required: 'Le compte n’a plus de crédits.',
  cancelled: 'La personne s’est désinscrite.',
  unsubscribed: 'La personne s’est désinscrite.',
  bounced: 'Les emails lui reviennent : l’outil ne lui écrit plus.',
  erased: 'Vous y avez fait effacer la personne.',
  complained: 'La personne a signalé un email comme indésirable.',
  // Codes of webhooks.
  certificate: 'Le certificat de l’adresse n’est pas valable.',
  unknown_host: 'Le nom de domaine de l’adresse est introuvable.',
  denied: 'L’adresse refuse nos envois.',
  gone: 'Il n’y a rien à cette adresse.',
  redirected: 'L’adresse renvoie vers une autre.',
  private_address: 'Cette adresse mène à un réseau privé.',
  unreadable_secret: 'Le secret du webhook ne peut plus être lu.',
  removed: 'Le webhook a été supprimé.',
  // Codes of mails.
  switched_off: 'Cet envoi a été désactivé.',
  mailbox_refused: 'La messagerie de cette adresse refuse l’email.',
  mail_refused: 'Le serveur d’emails refuse ce message.',
  smtp: 'Le serveur d’emails refuse nos envois pour le moment.',
  no_smtp: 'Ce site n’a plus de serveur d’emails.',
  no_result: 'Aucun résultat n’a été obtenu : il n’y a rien à envoyer.',
  no_address: 'Votre compte n’a pas d’adresse email.',
  enough_mails: 'Cette adresse a déjà reçu plusieurs emails aujourd’hui.',
  enough_mails_of_network:
    'Beaucoup d’emails ont déjà été demandés aujourd’hui depuis le réseau de cette personne.',
  enough_notices:
    'Vous avez déjà reçu beaucoup d’emails aujourd’hui : ce participant est dans vos statistiques.',
  mails_of_today: 'La limite d’emails du jour est atteinte : l’envoi reprendra demain.',
}

/** Reasons of deliveries that are given up, whose usual reason would announce another attempt. */
const GIVEN_UP: Record<string, string> = {
  internal: 'Un incident de notre côté a empêché l’envoi : vous pouvez le relancer.',
  smtp: 'Le serveur d’emails a refusé nos envois.',
  mails_of_today: 'La limite d’emails du jour est restée atteinte.',
}

const WEBHOOK_REPAIRS: Record<string, string> = {
  denied: 'L’adresse refuse nos envois : vérifiez ce qu’elle attend, puis relancez-la.',
  gone: 'Il n’y a plus rien à cette adresse : indiquez la bonne.',
  redirected: 'L’adresse renvoie vers une autre : indiquez directement la bonne.',
  private_address: 'Cette adresse mène à un réseau privé : indiquez une adresse publique.',
  unreadable_secret: 'Le secret ne peut plus être lu : créez-en un nouveau.',
}

/** Returns the French sentence about what the creator must repair at a webhook. */
export const webhookAttention = (code: string): string =>
  WEBHOOK_REPAIRS[code] ?? 'L’adresse refuse nos envois.'

/** Returns the French reason why a participant has not consented. */
export const noConsentReason = (consent_version: number | null): string =>
  consent_version === null ? 'L’accord ne lui a pas été demandé.' : 'La case n’a pas été cochée.'

/** Labels and names of fields that a tool refused although it accepted the participant. */
export type RefusedFields = {
  labels: readonly string[]
  fields: readonly string[]
  enrolments?: readonly RefusedEnrolment[]
}

/** Returns names in French quotation marks, separated by commas. */
export const quoteNames = (names: readonly string[]): string =>
  names.map((name) => `« ${name} »`).join(', ')

/** Returns the French sentence about fields that a tool does not have or whose values it refused. */
const refusedFieldsSentence = (names: readonly string[]): string =>
  names.length === 1
    ? `Envoyé sans le champ ${quoteNames(names)} : l’outil n’a pas ce champ ou refuse sa valeur.`
    : `Envoyé sans les champs ${quoteNames(names)} : l’outil n’a pas ces champs ou refuse leurs valeurs.`

/** Returns the French sentences about refused labels and fields; '' if there are none. */
const refusedSentence = ({ labels, fields, enrolments = [] }: RefusedFields): string => {
  const sentences = [
    labels.length > 0 &&
      `Envoyé sans ${quoteNames(labels)} : l’outil n’en accepte pas d’autre, ou la liste n’existe plus.`,
    ...enrolments.map(refusedEnrolmentSentence),
    fields.length > 0 && refusedFieldsSentence(fields),
  ]
  return sentences.filter(Boolean).join(' ')
}

/** Returns the French reason for the state of a delivery; null if there is nothing to explain. */
export const deliveryReason = (
  status: DeliveryStatus,
  code: string | null,
  refused?: RefusedFields,
): string | null => {
  if (code === null) return null
  const isPartial = code === 'label_refused' || code === 'field_refused'
  const missing = isPartial && refused ? refusedSentence(refused) : ''
  if (missing !== '') return missing
  const word = /^smtp_/.test(code) ? 'smtp' : code
  const known = (status === 'refused' ? GIVEN_UP[word] : undefined) ?? REASONS[word]
  if (known !== undefined) return known
  if (/^http_5/.test(code)) return 'L’outil est en panne.'
  return status === 'refused' ? 'L’outil a donné une réponse inattendue.' : null
}
