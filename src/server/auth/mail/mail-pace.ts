import { createHash } from 'node:crypto'
import { mailTooSoon } from '#server/auth/auth-error.ts'
import { createBucket, remember } from '#server/http/throttle.ts'

const PAUSE_MS = 60_000

export type MailPace = { check: (kind: string, who: string) => void }

/**
 * Holds mails back: one of a kind a minute to one address, and so many an hour to all. It counts what was
 * asked for, not what was sent, so that a known address and an unknown one are refused alike (429).
 */
export const createMailPace = (
  isOn: boolean,
  mails_per_hour: number,
  tooSoon = mailTooSoon,
): MailPace => {
  const asked = new Map<string, number>()
  const all = createBucket({ calls: mails_per_hour, per_seconds: 3600, burst: mails_per_hour })
  return {
    check: (kind, who) => {
      if (!isOn) return
      const key = createHash('sha256').update(`${kind} ${who}`).digest('base64')
      const now = Date.now()
      const wait = (asked.get(key) ?? -PAUSE_MS) + PAUSE_MS - now
      if (wait > 0) throw tooSoon(Math.ceil(wait / 1000))
      const seconds = all('all', now)
      if (seconds > 0) throw tooSoon(seconds)
      remember(asked, key, now)
    },
  }
}
