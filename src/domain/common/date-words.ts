import { DEFAULT_TIME_ZONE } from './time-zone.ts'

/** Returns the French words of a date with « 1er » for the first day of a month, which Intl writes « 1 ». */
export const withOrdinalDay = (words: string): string => words.replace(/^1 (?=\p{L})/u, '1er ')

/** Returns a day such as 2026-12-01 in words: « 1er décembre 2026 ». */
export const dayInWords = (day: string): string =>
  withOrdinalDay(
    new Date(`${day}T12:00:00Z`).toLocaleDateString('fr-FR', {
      dateStyle: 'long',
      timeZone: 'UTC',
    }),
  )

/** Returns a moment in words, as local time: « 1er décembre 2026 à 10:30 ». */
export const momentInWords = (at: string, time_zone = DEFAULT_TIME_ZONE): string =>
  withOrdinalDay(
    new Date(at).toLocaleString('fr-FR', {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: time_zone,
    }),
  )
