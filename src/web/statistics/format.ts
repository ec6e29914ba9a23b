/** What is missing, in the table of participants (spec §2 « Statistics screen »). */
export const MISSING = '-'

const dateTime = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'short' })
const percentage = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 })

/** An ISO timestamp as a French date and time of this browser's zone; '-' when there is none. */
export const formatDate = (timestamp: string | null): string => {
  const time = timestamp === null ? Number.NaN : Date.parse(timestamp)
  return Number.isNaN(time) ? MISSING : dateTime.format(time)
}

/** 33.3 as '33,3 %', the space being one that does not break. */
export const formatPercentage = (value: number): string => `${percentage.format(value)}\u00a0%`

/** How many people the figures are about. */
export const formatParticipants = (count: number): string =>
  `${count} participant${count > 1 ? 's' : ''}`
