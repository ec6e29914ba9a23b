const MOMENT = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'short' })

/** A date and time in this browser's time zone: '09/03/2026 13:05'. */
export const formatMoment = (at: string): string => MOMENT.format(Date.parse(at))
