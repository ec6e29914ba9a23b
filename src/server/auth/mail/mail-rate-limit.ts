import { createHash } from 'node:crypto'
import { mailTooSoon } from '#server/auth/auth-error.ts'
import { createTokenBucket, MAX_TRACKED_KEYS } from '#server/http/edge/rate-limits.ts'
import { createLruCache } from '#server/runtime/caches.ts'

const PAUSE_MS = 60_000
/** Minimum hourly mails of one network; otherwise one tenth of the site's limit. */
const MIN_PER_NETWORK = 10
const OF_A_RECIPIENT = 20
/**
 * Hourly mails from one network to one recipient, below the recipient's limit so that one network cannot block a
 * mail.
 */
const OF_A_RECIPIENT_BY_NETWORK = 10
/** Share of the hourly mails that is reserved for existing accounts. */
const RESERVE = 1 / 3

type MailAsked = {
  kind: string
  /** Key of the one-minute pause: an address or an account. */
  who: string
  /** Recipient address or number; `who` by default. */
  recipient?: string | undefined
  /** Network of the request (`networkKey`). */
  network: string | undefined
  /** Returns true if the recipient has an account. Undefined for mails that need no account. */
  isKnown?: (() => Promise<boolean>) | undefined
}

/** Rate limiter of mails. */
export type MailRateLimit = {
  /**
   * Throws 429 during the pause. Returns false to send nothing while the answer stays the same, because the rest of
   * the hour is reserved for existing accounts.
   */
  check: (asked: MailAsked) => Promise<boolean>
}

const hourly = (calls: number) => createTokenBucket({ calls, per_seconds: 3600, burst: calls })

/**
 * Creates a rate limiter for mails: one of a kind per minute and address, and hourly limits per network, per
 * recipient and in total. Requests count, not sent mails, so that known and unknown addresses do not differ.
 */
export const createMailRateLimit = (
  isOn: boolean,
  mails_per_hour: number,
  tooSoon = mailTooSoon,
): MailRateLimit => {
  const asked = createLruCache<number>(MAX_TRACKED_KEYS)
  const reserved = Math.floor(mails_per_hour * RESERVE)
  const networks = hourly(Math.max(MIN_PER_NETWORK, Math.floor(mails_per_hour / 10)))
  const recipients = hourly(OF_A_RECIPIENT)
  const recipientsByNetwork = hourly(OF_A_RECIPIENT_BY_NETWORK)
  const open = hourly(mails_per_hour - reserved)
  const reserve = hourly(reserved)

  const checkShares = ({ network = '', recipient }: MailAsked, now: number): void => {
    for (const [share, key] of [
      [networks, network],
      [recipientsByNetwork, `${network} ${recipient}`],
      [recipients, recipient ?? ''],
    ] as const) {
      const seconds = share(key, now)
      if (seconds > 0) throw tooSoon(seconds)
    }
  }
  /**
   * Takes one mail of the site's hourly limit. Returns false if only the reserve is left and the account is unknown.
   */
  const takeOne = async ({ isKnown }: MailAsked, now: number): Promise<boolean> => {
    const seconds = open('all', now)
    if (seconds === 0) return true
    if (!isKnown) throw tooSoon(seconds)
    const wait = reserve('all', now, 0)
    if (wait > 0) throw tooSoon(Math.min(seconds, wait))
    if (!(await isKnown())) return false
    const taken = reserve('all', now)
    if (taken > 0) throw tooSoon(taken)
    return true
  }
  return {
    check: async (given) => {
      if (!isOn) return true
      const { kind, who } = given
      const key = createHash('sha256').update(`${kind} ${who}`).digest('base64')
      const now = Date.now()
      const wait = (asked.get(key) ?? -PAUSE_MS) + PAUSE_MS - now
      if (wait > 0) throw tooSoon(Math.ceil(wait / 1000))
      checkShares({ ...given, recipient: given.recipient ?? who }, now)
      asked.set(key, now)
      return takeOne(given, now)
    },
  }
}
