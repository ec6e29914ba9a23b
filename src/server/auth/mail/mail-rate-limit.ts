import { createHash } from 'node:crypto'
import { mailTooSoon } from '#server/auth/auth-error.ts'
import { createTokenBucket, MAX_TRACKED_KEYS } from '#server/http/edge/rate-limits.ts'
import { createLruCache } from '#server/runtime/caches.ts'

/** Minimum interval between two mails of one kind to one address. */
const PAUSE_MS = 60_000
/** Smallest hourly limit of one network. The limit is usually one tenth of the total. */
const MIN_LIMIT_PER_NETWORK = 10
/** Maximum hourly mails to one recipient. */
const MAX_PER_RECIPIENT = 20
/**
 * Maximum hourly mails from one network to one recipient. This maximum is below the recipient's limit, so that one
 * network cannot block all mails to a recipient.
 */
const MAX_PER_RECIPIENT_AND_NETWORK = 10
/** Share of the hourly mails that is reserved for existing accounts. */
const RESERVED_SHARE = 1 / 3

type MailRequest = {
  kind: string
  /** Key of the one-minute pause: an address or an account. */
  pause_key: string
  /** Recipient address or number; `pause_key` by default. */
  recipient?: string | undefined
  /** Network of the request (`networkKey`). */
  network: string | undefined
  /** Returns true if the recipient has an account. Undefined for mails that cannot use the reserve. */
  isKnown?: (() => Promise<boolean>) | undefined
}

/** Rate limiter of mails or text messages. */
export type MailRateLimit = {
  /**
   * Throws 429 if a limit is reached. Returns false if only the reserve for existing accounts is left and the recipient
   * is unknown. The caller then sends nothing and answers as usual.
   */
  check: (request: MailRequest) => Promise<boolean>
}

const hourly = (calls: number) => createTokenBucket({ calls, per_seconds: 3600, burst: calls })

/**
 * Creates a rate limiter for mails: one mail of a kind per minute and address, and hourly limits per network, per
 * recipient and in total. Counts requests instead of sent mails, so that unknown addresses have the same limits.
 */
export const createMailRateLimit = (
  isOn: boolean,
  mails_per_hour: number,
  tooSoon = mailTooSoon,
): MailRateLimit => {
  const requested_at = createLruCache<number>(MAX_TRACKED_KEYS)
  const reserved = Math.floor(mails_per_hour * RESERVED_SHARE)
  const networks = hourly(Math.max(MIN_LIMIT_PER_NETWORK, Math.floor(mails_per_hour / 10)))
  const recipients = hourly(MAX_PER_RECIPIENT)
  const recipientsByNetwork = hourly(MAX_PER_RECIPIENT_AND_NETWORK)
  const open = hourly(mails_per_hour - reserved)
  const reserve = hourly(reserved)

  const checkSharedLimits = ({ network = '', recipient }: MailRequest, now: number): void => {
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
   * Counts one mail in the total hourly limit. Returns false if only the reserve is left and the recipient is unknown.
   */
  const takeFromTotal = async ({ isKnown }: MailRequest, now: number): Promise<boolean> => {
    const seconds = open('all', now)
    if (seconds === 0) return true
    if (!isKnown) throw tooSoon(seconds)
    const wait = reserve('all', now, 0)
    if (wait > 0) throw tooSoon(Math.min(seconds, wait))
    if (!(await isKnown())) return false
    const wait_s = reserve('all', now)
    if (wait_s > 0) throw tooSoon(wait_s)
    return true
  }
  return {
    check: async (request) => {
      if (!isOn) return true
      const { kind, pause_key } = request
      const key = createHash('sha256').update(`${kind} ${pause_key}`).digest('base64')
      const now = performance.now()
      const wait = (requested_at.get(key) ?? -PAUSE_MS) + PAUSE_MS - now
      if (wait > 0) throw tooSoon(Math.ceil(wait / 1000))
      checkSharedLimits({ ...request, recipient: request.recipient ?? pause_key }, now)
      requested_at.set(key, now)
      return takeFromTotal(request, now)
    },
  }
}
