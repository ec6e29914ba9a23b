import { useSyncExternalStore } from 'react'
import { withOrdinalDay } from '#domain/common/date-words.ts'
import { DEFAULT_TIME_ZONE, isTimeZone, localDay } from '#domain/common/time-zone.ts'

/** A time zone with the French name of its times: « heure de Nouméa ». */
export type NamedTimeZone = { time_zone: string; time_zone_name: string }

const PARIS: NamedTimeZone = { time_zone: DEFAULT_TIME_ZONE, time_zone_name: 'heure de Paris' }

/** Time zone of the account, in which every moment is shown; the zone of the browser is never used. */
let zone = PARIS
const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Returns the time zone of the account. */
export const currentZone = (): NamedTimeZone => zone

/** Returns the time zone of the account; the component is rendered again when it changes. */
export const useZone = (): NamedTimeZone => useSyncExternalStore(subscribe, currentZone)

/** Returns the zone, or that of Paris if this browser does not know it. */
export const supportedZone = (named: NamedTimeZone): NamedTimeZone =>
  isTimeZone(named.time_zone) ? named : PARIS

/** Sets the time zone in which moments are shown: that of Paris if this browser does not know the zone. */
export const setZone = (next: NamedTimeZone = PARIS): void => {
  const supported = supportedZone(next)
  if (supported.time_zone === zone.time_zone) return
  zone = supported
  for (const listener of listeners) listener()
}

/** Appends the name of the zone to the title of a part that shows dates, unless the zone is Paris. */
export const withZone = (title: string, { time_zone, time_zone_name } = zone): string =>
  time_zone === DEFAULT_TIME_ZONE ? title : `${title} (${time_zone_name})`

const STYLES = {
  /** '09/03/2026 13:05' */
  short: { dateStyle: 'short', timeStyle: 'short' },
  /** '9 mars 2026 à 13:05' */
  long: { dateStyle: 'long', timeStyle: 'short' },
  /** '9 mars 2026' */
  day: { dateStyle: 'long' },
  /** '9 mars' */
  day_of_year: { day: 'numeric', month: 'long' },
  /** '13:05' */
  time: { timeStyle: 'short' },
  /** '13:05:09' */
  seconds: { timeStyle: 'medium' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>
type MomentStyle = keyof typeof STYLES

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats a moment (ISO, or ms since 1970) as local time of the account or of the given zone. */
export const formatMoment = (
  at: string | number,
  style: MomentStyle = 'short',
  { time_zone }: Pick<NamedTimeZone, 'time_zone'> = zone,
): string => {
  const key = `${style} ${time_zone}`
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat('fr-FR', { ...STYLES[style], timeZone: time_zone })
  formats.set(key, format)
  return withOrdinalDay(format.format(typeof at === 'number' ? at : Date.parse(at)))
}

/** Formats a moment and appends the name of its zone, unless the zone is Paris. */
export const formatNamedMoment = (
  at: string | number,
  style: MomentStyle = 'short',
  named = zone,
): string => withZone(formatMoment(at, style, named), named)

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MAX_RELATIVE_DAYS = 7

const short = new Intl.RelativeTimeFormat('fr-FR', { numeric: 'auto', style: 'short' })
const long = new Intl.RelativeTimeFormat('fr-FR', { numeric: 'auto' })

/** Formats when a quiz was changed: 'il y a 5 min', 'hier', 'le 3 mars'. Days are those of the account. */
export const formatRelativeTime = (timestamp: string, now = Date.now()): string => {
  const time = Date.parse(timestamp)
  const [then, today] = [time, now].map((moment) =>
    localDay(new Date(moment), currentZone().time_zone),
  )
  const days = Math.round((Date.parse(today ?? '') - Date.parse(then ?? '')) / DAY_MS)
  const ms = now - time
  // A clock behind the server’s makes the moment lie in the future.
  if (ms < MINUTE_MS) return 'à l’instant'
  if (days === 0)
    return ms < HOUR_MS
      ? short.format(-Math.floor(ms / MINUTE_MS), 'minute')
      : short.format(-Math.floor(ms / HOUR_MS), 'hour')
  if (days < MAX_RELATIVE_DAYS) return long.format(-days, 'day')
  const isThisYear = then?.slice(0, 4) === today?.slice(0, 4)
  return `le ${formatMoment(time, isThisYear ? 'day_of_year' : 'day')}`
}

/** Formats a moment to the minute: '3 mars 2026 à 14:05'. */
export const formatExactTime = (timestamp: string): string => formatNamedMoment(timestamp, 'long')
