import type { Answer } from '#contract/kit/endpoint.ts'
import type { replay } from '#contract/versions.ts'
import { formatNumber, formatParticipants } from '#web/statistics/format/format.ts'

/** Answer of the replay call. */
export type ReplayAnswer = Answer<typeof replay.get>

const formatCount = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count > 1 ? many : one}`

/**
 * Returns a sentence about what publishing would change for participants; null if there are only lost replies
 * to report.
 */
export const replayTitle = ({
  results,
  nb_replayed,
  nb_lost_replies,
}: ReplayAnswer): string | null => {
  const yours = nb_replayed > 1 ? `vos ${formatParticipants(nb_replayed)}` : 'votre participant'
  if (results && results.nb_changed > 0)
    return `${formatCount(results.nb_changed, 'participant', 'participants')} sur ${formatNumber(nb_replayed)} ${results.nb_changed > 1 ? 'obtiendraient' : 'obtiendrait'} un autre résultat`
  if (nb_lost_replies === 0) return `Rien ne change pour ${yours}`
  if (!results) return null
  return nb_replayed > 1
    ? `Aucun de ${yours} n’obtiendrait un autre résultat`
    : 'Votre participant obtiendrait le même résultat'
}

/**
 * Returns a sentence about replies whose question or answer no longer exists in the draft; null when there
 * are none.
 */
export const lostRepliesText = ({ nb_lost_replies, nb_losing }: ReplayAnswer): string | null =>
  nb_lost_replies === 0
    ? null
    : `${formatCount(nb_lost_replies, 'réponse n’a', 'réponses n’ont')} plus de correspondance (${formatParticipants(nb_losing)})`

/** Returns a sentence if only the newest participants were replayed; null if all were. */
export const newestParticipantsText = ({
  nb_participants,
  nb_replayed,
}: ReplayAnswer): string | null =>
  nb_replayed < nb_participants
    ? `Calculé sur vos ${formatNumber(nb_replayed)} participants les plus récents, sur ${formatNumber(nb_participants)}.`
    : null

/** Returns a sentence about changed participants that are not listed in the table. */
export const unlistedMovesText = (count: number): string =>
  `Et ${formatCount(count, 'participant changerait', 'participants changeraient')} entre d’autres résultats.`
