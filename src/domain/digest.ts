import { fromLocalTime, localDay } from './time-zone.ts'

/** The participants of one quiz since the last mail of a day. */
export type DigestedQuiz = {
  quiz_id: string
  name: string
  nb_participants: number
  /** The most frequent first; none of a sondage. */
  results: { name: string; nb_participants: number }[]
}

/** Local time at which a creator gets the daily mail. */
const AT = '08:00'
/** Who came before that hour is stored by then. */
const GRACE_MS = 300_000
const DAY_MS = 86_400_000

/** Returns the latest day in a time zone whose mail is due, and the end of the time that the mail covers. */
export const dueDigest = (now: Date, time_zone: string): { day: string; until: string } => {
  const momentOf = (time: number) => {
    const day = localDay(new Date(time), time_zone)
    return { day, until: fromLocalTime(`${day}T${AT}`, time_zone) }
  }
  const today = momentOf(now.getTime())
  if (now.getTime() >= Date.parse(today.until) + GRACE_MS) return today
  // Half a day before this morning is yesterday, whatever the clocks did.
  return momentOf(Date.parse(today.until) - DAY_MS / 2)
}
