import { createHash } from 'node:crypto'
import { mailTooSoon } from '#server/auth/auth-error.ts'
import { createTokenBucket, MAX_TRACKED_KEYS } from '#server/http/edge/rate-limits.ts'
import { createLruCache } from '#server/runtime/lru-cache.ts'

const PAUSE_MS = 60_000
/** Of the site's hour, what mails of one network may take: one in ten, and never fewer than this. */
const LEAST_OF_A_NETWORK = 10
const OF_A_RECIPIENT = 20
/** Less than the recipient's share, so that one network alone cannot keep its owner from a mail. */
const OF_A_RECIPIENT_BY_NETWORK = 10
/** One mail in three is kept for accounts that exist. */
const RESERVE = 1 / 3

type MailAsked = {
  kind: string
  /** What the pause of a minute is counted for: an address, or an account. */
  who: string
  /** The address or number that it is sent to; `who` unless given. */
  recipient?: string | undefined
  /** The network that asks, as `networkKey` names it. */
  network: string | undefined
  /** Whether an account that exists receives it. Left out where the mail needs no account, as a sign-up's. */
  isKnown?: (() => Promise<boolean>) | undefined
}

export type MailRateLimit = {
  /**
   * Throws 429 when it is too soon. False: answer as usual and send nothing, since the rest of the hour is
   * kept for accounts that exist, and the answer must not tell which addresses have one.
   */
  check: (asked: MailAsked) => Promise<boolean>
}

const hourly = (calls: number) => createTokenBucket({ calls, per_seconds: 3600, burst: calls })

/**
 * A rate limiter for mails: one of a kind a minute to one address; in an hour so many of one network, to one
 * recipient, and in all, of which a part is reserved for accounts that exist. It counts what was asked
 * for, not what was sent, so that a known address and an unknown one are refused alike (429).
 */
export const createMailRateLimit = (
  isOn: boolean,
  mails_per_hour: number,
  tooSoon = mailTooSoon,
): MailRateLimit => {
  const asked = createLruCache<number>(MAX_TRACKED_KEYS)
  const reserved = Math.floor(mails_per_hour * RESERVE)
  const networks = hourly(Math.max(LEAST_OF_A_NETWORK, Math.floor(mails_per_hour / 10)))
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
  /** Takes one mail of the site's hour; false when only the reserve is left and the account is unknown. */
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
