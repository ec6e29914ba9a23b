import { trimText } from '#domain/common/text.ts'
import type { Quiz, QuizAccess } from './quiz.ts'

/** Addresses that creators choose for their quiz. */

const SLUG = /^[a-z0-9](?:[a-z0-9-]{1,58})[a-z0-9]$/
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** True for 3 to 60 of a–z, 0–9 and -, which neither begins nor ends with -. An id is no slug. */
export const isSlug = (text: string): boolean => SLUG.test(text) && !UUID.test(text)

/** Words of our own addresses and of likely future pages; a test compares them with the routes. */
const RESERVED_SLUGS = `
  api app assets auth docs healthz metrics public readyz static admin compte connexion dashboard
  inscription login logout settings signin signup statistics create edit new nouveau preview
  publish image images resultat resultats snapshot submit visite quiz quizaine accessibilite aide
  confidentialite contact help mentions-legales support desinscription embed embed-js fonts oembed
  statistiques test attestation certificat ma-page mon-compte mon-resultat mes-donnees partage
  partager qr qr-code reponse reponses classement tests www index robots favicon sitemap
  well-known null undefined
`

/** True for a slug that the product keeps for itself: the words of its own addresses and what would pass for it. */
export const isReservedSlug = (slug: string): boolean =>
  RESERVED_SLUGS.trim().split(/\s+/).includes(slug)

/** What is said of a slug that another quiz has, or had. */
export const slugTakenMessage = (slug: string): string => `L’adresse « ${slug} » est déjà prise`

/** Days for which the address of a deleted quiz stays reserved for its creator. */
const FORMER_SLUG_DAYS = 90

/** Refusal of the address of a quiz that another creator deleted less than 90 days ago. */
export const slugReservedForOwnerMessage = (slug: string): string =>
  `L’adresse « ${slug} » était celle d’un questionnaire supprimé : elle reste réservée à son auteur pendant ${FORMER_SLUG_DAYS} jours`

/** What is said of one that the product keeps for itself. */
export const slugReservedMessage = (slug: string): string => `L’adresse « ${slug} » est réservée`

/** Where visitors take a quiz: its chosen address, else the one made of its id. */
export const publicPath = ({ id, slug }: { id: string; slug?: string | null }): string =>
  `/q/${slug ?? id}`

/** What a page says once its quiz is closed and the creator has written nothing. */
const DEFAULT_CLOSED_TEXT = 'Ce questionnaire est clos.'

/** How long after the closing date the answers of a page that was opened before are still taken. */
export const LATE_SUBMISSION_HOURS = 24

/** What a closed quiz says: the creator's words, unless they are blank. */
export const closedText = (text: string | null): string =>
  trimText(text ?? '') || DEFAULT_CLOSED_TEXT

/** True when visitors can no longer begin: the closing date has passed, or the limit of participants is reached. `now` in ms. */
export const isClosed = (
  {
    closes_at,
    max_responses,
    nb_responses,
  }: Pick<QuizAccess, 'closes_at' | 'max_responses'> & Pick<Quiz, 'nb_responses'>,
  now: number,
): boolean =>
  (closes_at !== null && Date.parse(closes_at) <= now) ||
  (max_responses !== null && nb_responses >= max_responses)
