import { fromLocalTime, localDay } from '#domain/common/time-zone.ts'

/** Participants of one quiz since the last daily mail. */
export type DigestedQuiz = {
  quiz_id: string
  name: string
  nb_participants: number
  /** The most frequent result first; empty for a sondage. */
  results: { name: string; nb_participants: number }[]
}

/** Local time of the daily mail. */
const DAILY_MAIL_TIME = '08:00'
/** Wait after that time, so that earlier participants are stored. */
const GRACE_MS = 300_000
const DAY_MS = 86_400_000

/** Returns the latest day in a time zone whose mail is due, and the end of the period that the mail covers. */
export const dueDigest = (now: Date, time_zone: string): { day: string; until: string } => {
  const momentOf = (time: number) => {
    const day = localDay(new Date(time), time_zone)
    return { day, until: fromLocalTime(`${day}T${DAILY_MAIL_TIME}`, time_zone) }
  }
  const today = momentOf(now.getTime())
  if (now.getTime() >= Date.parse(today.until) + GRACE_MS) return today
  // Half a day before this morning is yesterday, also on days when clocks change.
  return momentOf(Date.parse(today.until) - DAY_MS / 2)
}
