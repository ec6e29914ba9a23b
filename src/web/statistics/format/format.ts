import { percentageOf } from '#domain/common/numbers.ts'
import { formatMoment } from '#web/ui/moments.ts'

/** Stands for a missing value in the table of participants (product 10.5). */
export const MISSING = '-'

/** Stands for the reply to a question that was left blank. */
export const NO_REPLY = 'Sans réponse'

const percentage = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 })

/** Formats an ISO timestamp as a French date and time of the account; '-' without a timestamp. */
export const formatDate = (timestamp: string | null): string => {
  const time = timestamp === null ? Number.NaN : Date.parse(timestamp)
  return Number.isNaN(time) ? MISSING : formatMoment(time)
}

/** Formats 33.3 as '33,3 %', with a non-breaking space. */
export const formatPercentage = (value: number): string => `${percentage.format(value)}\u00a0%`

/**
 * Formats a share as '33,3 %' with at most `decimals` decimals; '< 0,1 %' or '< 1 %' for a smaller share above 0. Each
 * share is rounded by itself, so that a count has one share wherever the screen shows it.
 */
export const formatPercentageOf = (count: number, total: number, decimals: 0 | 1 = 1): string => {
  const least = decimals === 0 ? 1 : LEAST_SHARE
  if (count > 0 && (decimals === 0 ? count * PERCENT < total : percentageOf(count, total) < least))
    return `<\u00a0${formatPercentage(least)}`
  // Rounded only once, because 66.45 rounded to 66.5 would become 67.
  const isWhole = decimals === 0 && total > 0
  return formatPercentage(
    isWhole ? Math.round((count * PERCENT) / total) : percentageOf(count, total),
  )
}
const LEAST_SHARE = 0.1
const PERCENT = 100

const number = new Intl.NumberFormat('fr-FR', {
  maximumFractionDigits: 2,
  // Omits the minus sign of a number that is rounded to 0.
  signDisplay: 'negative',
})

/** Formats a number in French notation, with at most two decimals. */
export const formatNumber = (value: number): string => number.format(value)

/** Formats a count with its total: '38 sur 112'. */
export const formatShare = (count: number, total: number): string =>
  `${number.format(count)} sur ${number.format(total)}`

/** Formats how many of all participants saw a question, and how many replied. */
export const formatReach = (
  { nb_seen, nb_answered }: { nb_seen: number; nb_answered: number },
  all: number,
): string =>
  nb_seen < all
    ? `${formatShare(nb_seen, all)} ${nb_seen > 1 ? 'l’ont' : 'l’a'} vue · ${formatReplies(nb_answered)}`
    : `${formatShare(nb_answered, all)} ${nb_answered > 1 ? 'ont' : 'a'} répondu à cette question`

/** Formats a number of replies: '1 réponse'. */
export const formatReplies = (count: number): string =>
  `${number.format(count)} réponse${count > 1 ? 's' : ''}`

/** Formats the number of participants: '1 participant'. */
export const formatParticipants = (count: number): string =>
  `${number.format(count)} participant${count > 1 ? 's' : ''}`

/** Formats the number of participants that match filters. `count` is null while they are being counted. */
export const formatMatching = (count: number | null, all: number): string =>
  count === null
    ? `Une sélection parmi ${formatParticipants(all)}`
    : `${formatShare(count, all)} participant${all > 1 ? 's' : ''}`

/** Formats the number of listed participants, with the total if known. */
export const formatShown = (shown: number, count: number | null): string =>
  `${number.format(shown)} participants affichés${count === null ? '' : ` sur ${number.format(count)}`}`

/**
 * Formats the number of participants that a search has found so far. Without a match, a sentence says so. If `isAll` is
 * false, the text ends with « affichés » instead of « trouvés ».
 */
export const formatFound = (listed: number, isAll: boolean): string => {
  if (listed === 0) return 'Aucun participant ne correspond à cette recherche.'
  if (!isAll) return formatShown(listed, null)
  return `${formatParticipants(listed)} ${listed > 1 ? 'trouvés' : 'trouvé'}`
}

/** Formats points of a score: '-1 point', '12 points'. */
export const formatPoints = (count: number): string =>
  `${number.format(count)} point${Math.abs(count) > 1 ? 's' : ''}`

/** Formats the number of responses that are newer than the figures. */
export const formatNew = (count: number): string =>
  count > 1 ? `${number.format(count)} nouveaux participants` : `${count} nouveau participant`

const SECONDS_IN: [unit: string, seconds: number][] = [
  ['h', 3_600],
  ['min', 60],
]

/** Formats seconds as '1 min 15 s', with non-breaking spaces. */
export const formatDuration = (seconds: number): string => {
  let rest = seconds
  const parts: string[] = []
  for (const [unit, length] of SECONDS_IN) {
    const count = Math.floor(rest / length)
    rest -= count * length
    if (count > 0) parts.push(`${count}\u00a0${unit}`)
  }
  if (rest > 0 || parts.length === 0) parts.push(`${number.format(rest)}\u00a0s`)
  return parts.join('\u00a0')
}
