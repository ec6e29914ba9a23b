import { fromParisTime, parisTime } from './paris-time.ts'

/** The participants of one quiz since the last mail of a day. */
export type DigestedQuiz = {
  quiz_id: string
  name: string
  nb_participants: number
  /** The most frequent first; none of a sondage. */
  results: { name: string; nb_participants: number }[]
}

/** When creators who want one mail a day get it, on the clocks of Paris. */
const AT = '08:00'
/** Who came before that hour is stored by then. */
const GRACE_MS = 300_000
const DAY_MS = 86_400_000

/** The latest day whose mail is due, and the moment up to which it tells. */
export const dueDigest = (now: Date): { day: string; until: string } => {
  const momentOf = (time: number) => {
    const day = parisTime(new Date(time).toISOString()).slice(0, 10)
    return { day, until: fromParisTime(`${day}T${AT}`) }
  }
  const today = momentOf(now.getTime())
  if (now.getTime() >= Date.parse(today.until) + GRACE_MS) return today
  // Half a day before this morning is yesterday, whatever the clocks did.
  return momentOf(Date.parse(today.until) - DAY_MS / 2)
}
