import { deliveryReason } from '#domain/delivery-words.ts'
import { type ApiError, invalid } from '#server/http/errors.ts'
import type { AddressRefusal } from '#server/outgoing/check-address.ts'
import type { Posted } from '#server/outgoing/post-guarded.ts'

const REFUSALS: Record<AddressRefusal, string> = {
  malformed: 'Saisissez une adresse complète, comme https://exemple.fr/webhook',
  not_https: 'L’adresse doit commencer par https://',
  has_credentials: 'L’adresse ne doit contenir ni identifiant ni mot de passe',
  port_refused: 'Ce port n’est pas permis : prenez 443, ou 1024 et au-delà',
  private_address: 'Cette adresse mène à un réseau privé',
  unknown_host: 'Le nom de domaine de cette adresse est introuvable',
}

/** 422: nothing would be sent to this address. */
export const addressRefused = (reason: AddressRefusal): ApiError => invalid(REFUSALS[reason])

/** What became of a test, in a sentence. */
export const testSentence = (posted: Posted): string => {
  if (posted.kind === 'refused') return `${REFUSALS[posted.reason]}.`
  if (posted.kind === 'failed') return deliveryReason('refused', posted.code) ?? ''
  const { status } = posted
  if (status >= 200 && status < 300) return `L’essai est arrivé : l’adresse a répondu ${status}.`
  if (status >= 300 && status < 400)
    return `L’adresse renvoie vers une autre (${status}) : indiquez directement la bonne.`
  return `L’adresse a répondu ${status} : l’essai est refusé.`
}
