import type { Answer } from '#contract/kit/endpoint.ts'
import type { replay } from '#contract/replay.ts'
import { formatNumber, formatParticipants } from '#web/statistics/format/format.ts'

export type ReplayAnswer = Answer<typeof replay.get>

const counted = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count > 1 ? many : one}`

/** What publishing changes for the participants, in a sentence; null where the one of lost replies says all. */
export const replayTitle = ({
  results,
  nb_replayed,
  nb_lost_replies,
}: ReplayAnswer): string | null => {
  const yours = nb_replayed > 1 ? `vos ${formatParticipants(nb_replayed)}` : 'votre participant'
  if (results && results.nb_changed > 0)
    return `${counted(results.nb_changed, 'participant', 'participants')} sur ${formatNumber(nb_replayed)} ${results.nb_changed > 1 ? 'obtiendraient' : 'obtiendrait'} un autre résultat`
  if (nb_lost_replies === 0) return `Rien ne change pour ${yours}`
  if (!results) return null
  return nb_replayed > 1
    ? `Aucun de ${yours} n’obtiendrait un autre résultat`
    : 'Votre participant obtiendrait le même résultat'
}

/** Of replies whose question or answer the draft no longer has; null when there are none. */
export const lostRepliesText = ({ nb_lost_replies, nb_losing }: ReplayAnswer): string | null =>
  nb_lost_replies === 0
    ? null
    : `${counted(nb_lost_replies, 'réponse n’a', 'réponses n’ont')} plus de correspondance (${formatParticipants(nb_losing)})`

/** That not all participants were replayed; null when they were. */
export const newestParticipantsText = ({
  nb_participants,
  nb_replayed,
}: ReplayAnswer): string | null =>
  nb_replayed < nb_participants
    ? `Calculé sur vos ${formatNumber(nb_replayed)} participants les plus récents, sur ${formatNumber(nb_participants)}.`
    : null

/** Participants whose move is not among those that are listed. */
export const unlistedMovesText = (count: number): string =>
  `Et ${counted(count, 'participant changerait', 'participants changeraient')} entre d’autres résultats.`
