import type { ErasureChoices, ErasureKind } from '#domain/deliveries/erasures.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { formatExactTime } from '#web/ui/moments.ts'

/** Erasure of one participant of a quiz, or of all participations of a person. */
export type Erasure = {
  /** ISO 8601 in UTC. */
  erased_at: string
  email: string | null
  nb_deleted: number
  /** Number of deleted invitations; absent for one participant. */
  nb_invitations?: number
  /** Null for an erasure in all quizzes. */
  quiz: { name: string; answered_at: string } | null
  choices: ErasureChoices
  nb_webhooks: number
}

/** Formats a number of participations. */
const formatParticipations = (count: number): string =>
  `${count} participation${count > 1 ? 's' : ''}`

/** Formats the numbers of participations and invitations of a person. */
export const formatPersonData = (nb_responses: number, nb_invitations: number): string =>
  [
    ...(nb_responses > 0 || nb_invitations === 0 ? [formatParticipations(nb_responses)] : []),
    ...(nb_invitations > 0 ? [`${nb_invitations} invitation${nb_invitations > 1 ? 's' : ''}`] : []),
  ].join(' et ')

const REQUESTS: Record<ErasureKind, string> = {
  delete: 'suppression demandée',
  unsubscribe: 'désinscription demandée',
}

/** Returns the facts of an erasure as sentences, for the creator's records. */
export const erasureLines = ({
  email,
  nb_deleted,
  nb_invitations = 0,
  quiz,
  choices,
  nb_webhooks,
}: Erasure): string[] => {
  const plural = nb_deleted + nb_invitations > 1 ? 's' : ''
  const place = quiz
    ? `dans « ${quiz.name} », réponse du ${formatExactTime(quiz.answered_at)}`
    : 'dans tous vos quiz et sondages'
  const tools = Object.entries(choices) as [keyof typeof PROVIDER_LABELS, ErasureKind][]
  return [
    `${formatPersonData(nb_deleted, nb_invitations)} supprimée${plural} ${place}.`,
    `Personne : ${email ?? 'sans adresse email'}.`,
    ...tools.map(([provider, kind]) => `${PROVIDER_LABELS[provider]} : ${REQUESTS[kind]}.`),
    ...(tools.length > 0 ? ['La réponse des outils se lit dans les envois.'] : []),
    ...(nb_webhooks > 0 ? [`${nb_webhooks} webhook${nb_webhooks > 1 ? 's' : ''} à prévenir.`] : []),
  ]
}
