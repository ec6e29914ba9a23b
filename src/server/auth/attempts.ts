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
 * Wrong attempts an hour of one account, whatever networks they come from. Six digits are guessed in a
 * million tries, so that codes of mails, and those of factors, have five.
 */
const MOST = { password: 30, code: 5, factor: 5 }

type Kind = keyof typeof MOST
type Needs = Pick<Services, 'db' | 'attemptKey' | 'network'>

/** Whose secret is tried: an account, or the address or number of none. */
export type Target = {
  user_id?: string | undefined
  /** Where there is no account, or the secret belongs to an address rather than to an account. */
  name?: string | undefined
  /** A session that is in already is counted by itself: others' attempts do not hold it up. */
  session_id?: string | undefined
}

const hmac = ({ attemptKey }: Pick<Needs, 'attemptKey'>, ...parts: string[]): Buffer =>
  createHmac('sha256', attemptKey).update(JSON.stringify(parts)).digest()

const networkHash = (needs: Needs, user_id: string, network: string): Buffer =>
  hmac(needs, 'network', user_id, network)

const scopesOf = (needs: Needs, kind: Kind, target: Target): Scopes => {
  const { user_id, session_id = '' } = target
  const { network } = needs
  const name = target.name ?? user_id ?? ''
  return {
    account: hmac(needs, kind, name, session_id),
    network:
      user_id && network && !session_id
        ? {
            user_id,
            network_hash: networkHash(needs, user_id, network),
            scope: hmac(needs, kind, name, 'from', network),
          }
        : undefined,
  }
}

/**
 * Counts an attempt at a password or a code in the database, before anything is compared; 429 when the
 * account has had its share of the hour. What it gives takes the attempt back, for one that was right.
 */
export const countAttempt = async (
  needs: Needs,
  kind: Kind,
  target: Target,
): Promise<(db: Db) => Promise<void>> => {
  const scopes = scopesOf(needs, kind, target)
  const scope = await addAttempt(needs.db, scopes, MOST[kind])
  if (!scope) throw tooManyRequests(await secondsToWait(needs.db, scopes))
  return (db) => removeAttempt(db, scope)
}

/** The network of this call has signed the user in: attacks from elsewhere do not hold it up. */
export const rememberNetwork = async (
  needs: Needs,
  user_id: string,
  shown: { hasShownFactor: boolean },
): Promise<void> => {
  const { network } = needs
  if (!network) return
  const network_hash = networkHash(needs, user_id, network)
  await saveKnownNetwork(needs.db, { user_id, network_hash }, shown)
}
