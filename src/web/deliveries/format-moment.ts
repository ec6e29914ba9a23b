const MOMENT = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'short' })

/** 9 March 2026 at five past one in the afternoon as 09/03/2026 13:05, on this browser's clock. */
export const formatMoment = (at: string): string => MOMENT.format(Date.parse(at))
