import type { Answer } from '#contract/kit/endpoint.ts'
import type { replay } from '#contract/versions.ts'
import { formatNumber, formatParticipants } from '#web/statistics/format/format.ts'

/** Answer of the replay call. */
export type ReplayAnswer = Answer<typeof replay.get>

/** Effect of the draft on the participants in one dimension. */
export type DimensionEffect = ReplayAnswer['dimensions'][number]

const formatCount = (count: number, singular: string, plural: string): string =>
  `${formatNumber(count)} ${count > 1 ? plural : singular}`

/** Returns true if publishing would change anything for participants in the dimension. */
export const hasDimensionEffect = ({ nb_changed, nb_new, nb_deleted }: DimensionEffect): boolean =>
  nb_changed + nb_new + nb_deleted > 0

/**
 * Returns a sentence about the results that publishing would change; null for a sondage with effects other than results.
 */
export const replayTitle = ({
  results,
  dimensions,
  nb_replayed,
  nb_lost_replies,
}: ReplayAnswer): string | null => {
  const yours = nb_replayed > 1 ? `vos ${formatParticipants(nb_replayed)}` : 'votre participant'
  if (results && results.nb_changed > 0)
    return `${formatCount(results.nb_changed, 'participant', 'participants')} sur ${formatNumber(nb_replayed)} ${results.nb_changed > 1 ? 'obtiendraient' : 'obtiendrait'} un autre résultat`
  if (nb_lost_replies === 0 && !dimensions.some(hasDimensionEffect))
    return `Rien ne change pour ${yours}`
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

/** Returns a sentence about participants whose tier would change. */
export const changedTiersText = ({ name, nb_changed, nb_compared }: DimensionEffect): string =>
  `« ${name} » : ${formatCount(nb_changed, 'participant', 'participants')} sur ${formatNumber(nb_compared)} ${nb_changed > 1 ? 'changeraient' : 'changerait'} de palier`

/** Returns a sentence about participants whose change of tier is not listed in the table. */
export const unlistedTierMovesText = (count: number): string =>
  `Et ${formatCount(count, 'participant changerait', 'participants changeraient')} entre d’autres paliers.`

/** Returns a sentence about a dimension that is new or deleted for participants; null for other dimensions. */
export const newOrDeletedText = ({ name, nb_new, nb_deleted }: DimensionEffect): string | null => {
  if (nb_new > 0) return `« ${name} » est nouvelle pour ${formatParticipants(nb_new)}.`
  return nb_deleted > 0 ? `« ${name} » disparaît pour ${formatParticipants(nb_deleted)}.` : null
}

/** Returns a sentence about dimensions whose tiers do not change; null if there are none. */
export const unchangedTiersText = (dimensions: readonly DimensionEffect[]): string | null => {
  const compared = dimensions.filter(({ nb_compared }) => nb_compared > 0)
  const nb_unchanged = compared.filter(({ nb_changed }) => nb_changed === 0).length
  if (nb_unchanged === 0) return null
  return nb_unchanged === compared.length
    ? 'Aucun participant ne changerait de palier.'
    : 'Aucun participant ne changerait de palier dans les autres dimensions.'
}

/** Returns the tier of a participant in words. */
export const tierStateLabel = (state: DimensionEffect['moves'][number]['from']): string => {
  if (state.kind === 'tier') return state.title
  return state.kind === 'no_tier' ? 'Aucun palier' : 'Non affichée'
}
