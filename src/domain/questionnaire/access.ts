import { trimText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Quiz, QuizAccess } from './quiz.ts'

/** Address and closing of a quiz. */

const SLUG = new RegExp(`^[a-z0-9][a-z0-9-]{1,${LIMITS.slug - 2}}[a-z0-9]$`)
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Returns true for 3 to 60 characters of a–z, 0–9 and inner hyphens. A UUID is not a slug, because it is an id. */
export const isSlug = (text: string): boolean => SLUG.test(text) && !UUID.test(text)

/** Words of our routes and of likely future pages. A test compares them with the routes. */
const RESERVED_SLUGS = `
  api app assets auth docs healthz metrics public readyz static admin compte connexion dashboard
  inscription login logout settings signin signup statistics create edit new nouveau preview
  publish image images resultat resultats snapshot submit visite quiz quizaine accessibilite aide
  confidentialite contact help mentions-legales support desinscription embed embed-js fonts oembed
  statistiques test attestation certificat ma-page mon-compte mon-resultat mes-donnees partage
  partager qr qr-code rapport rapports reponse reponses classement tests www index robots favicon sitemap
  modele modeles confirmation campagne campagnes invitation invitations
  refus well-known null undefined
`

/** Returns true if the product reserves this slug. */
export const isReservedSlug = (slug: string): boolean =>
  RESERVED_SLUGS.trim().split(/\s+/).includes(slug)

/** Refusal of a slug that another quiz has or had. */
export const slugTakenMessage = (slug: string): string => `L’adresse « ${slug} » est déjà prise`

/** Days for which the slug of a deleted quiz stays reserved for its creator. */
const FORMER_SLUG_DAYS = 90

/** Refusal of a slug that another creator's deleted quiz had less than 90 days ago. */
export const slugReservedForOwnerMessage = (slug: string): string =>
  `L’adresse « ${slug} » était celle d’un questionnaire supprimé : elle reste réservée à son auteur pendant ${FORMER_SLUG_DAYS} jours`

/** Refusal of a slug that the product reserves. */
export const slugReservedMessage = (slug: string): string => `L’adresse « ${slug} » est réservée`

/** Returns the public path of a quiz, with its slug or else its id. */
export const publicPath = ({ id, slug }: { id: string; slug?: string | null }): string =>
  `/q/${slug ?? id}`

/** Default message of a closed quiz. */
const DEFAULT_CLOSED_TEXT = 'Ce questionnaire est clos.'

/** Hours after the closing date in which pages that were already open can still submit. */
export const LATE_SUBMISSION_HOURS = 24

/** Returns the message of a closed quiz: the creator's text, or the default if it is blank. */
export const closedText = (text: string | null): string =>
  trimText(text ?? '') || DEFAULT_CLOSED_TEXT

/**
 * Returns true if visitors can no longer start: the closing date or the participant limit is reached. `now` is in ms.
 */
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
