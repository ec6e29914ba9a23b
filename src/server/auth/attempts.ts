import { createHmac } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import {
  addAttempt,
  removeAttempt,
  type Scopes,
  saveKnownNetwork,
  secondsToWait,
} from './attempts.store.ts'
import { tooManyRequests } from './auth-error.ts'
import type { Services } from './services.ts'

/**
 * Maximum wrong attempts per counter and hour. An account has one counter for all unknown networks, one for each known
 * network, and one for each session.
 */
const MAX_WRONG_ATTEMPTS_PER_HOUR = { password: 30, code: 5, factor: 5 }

type Kind = keyof typeof MAX_WRONG_ATTEMPTS_PER_HOUR
type Dependencies = Pick<Services, 'db' | 'attemptKey' | 'network'>

/** Account, address or number whose password or code is tried. */
export type Target = {
  user_id?: string | undefined
  /** Address or number. Set if there is no account, or if a code was sent to this address or number. */
  name?: string | undefined
  /** Session of the caller. Each session has its own counter, so that attempts of other callers do not block it. */
  session_id?: string | undefined
}

const hmac = ({ attemptKey }: Pick<Dependencies, 'attemptKey'>, ...parts: string[]): Buffer =>
  createHmac('sha256', attemptKey).update(JSON.stringify(parts)).digest()

const networkHash = (deps: Dependencies, user_id: string, network: string): Buffer =>
  hmac(deps, 'network', user_id, network)

const scopesOf = (deps: Dependencies, kind: Kind, target: Target): Scopes => {
  const { user_id, session_id = '' } = target
  const { network } = deps
  const name = target.name ?? user_id ?? ''
  return {
    account: hmac(deps, kind, name, session_id),
    network:
      user_id && network && !session_id
        ? {
            user_id,
            network_hash: networkHash(deps, user_id, network),
            scope: hmac(deps, kind, name, 'from', network),
          }
        : undefined,
  }
}

/**
 * Counts an attempt before the password or code is compared. Returns a function that uncounts the attempt; call it after
 * a success. Throws 429 if the hourly limit is reached.
 */
export const countAttempt = async (
  deps: Dependencies,
  kind: Kind,
  target: Target,
): Promise<(db: Db) => Promise<void>> => {
  const scopes = scopesOf(deps, kind, target)
  const scope = await addAttempt(deps.db, scopes, MAX_WRONG_ATTEMPTS_PER_HOUR[kind])
  if (!scope) throw tooManyRequests(await secondsToWait(deps.db, scopes))
  return (db) => removeAttempt(db, scope)
}

/** Stores the network of a successful sign-in. Wrong attempts from other networks then no longer block it. */
export const rememberNetwork = async (
  deps: Dependencies,
  user_id: string,
  proof: { hasVerifiedFactor: boolean },
): Promise<void> => {
  const { network } = deps
  if (!network) return
  const network_hash = networkHash(deps, user_id, network)
  await saveKnownNetwork(deps.db, { user_id, network_hash }, proof)
}
