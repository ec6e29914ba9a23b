import type { FastifyBaseLogger } from 'fastify'
import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import type { Vault } from '#server/runtime/sealing.ts'
import {
  type Connection,
  loadConnection,
  lockRefresh,
  markConnectionRefused,
  replaceTokens,
  unlockRefresh,
} from './connections.store.ts'
import { type KitOauth, type KitTokens, kitTokens } from './kit-oauth.ts'
import type { CredentialCode, OpenConnectionOf } from './providers/provider.ts'
import { credential, transient } from './providers/provider-requests.ts'

/**
 * Duration of the refresh lock in seconds, longer than a call to Kit, so that no two processes refresh concurrently.
 */
const LOCK_SECONDS = 20
const MIN_LEFT_MS = 300_000
const MIN_LEFT_SHARE = 0.1
/** Milliseconds until the next attempt while another process refreshes. */
const CONCURRENT_REFRESH_WAIT_MS = 2_000
const CONFIGURATION_ERROR_WAIT_MS = 300_000

type Dependencies = { db: Db; vault: Vault; oauth: KitOauth; log: FastifyBaseLogger }
type OpenedConnection = Awaited<ReturnType<OpenConnectionOf>>

const toOpenedConnection = (
  { id, user_id, provider, vendor_account_id }: Connection,
  secret: string,
): OpenedConnection => ({
  kind: 'open',
  connection: { id, user_id, provider, secret, vendor_account_id },
})

/** Returns true if the token of a connection stays valid for more than `at_least_ms`. */
const isValidFor = ({ token_expires_at }: Connection, at_least_ms: number): boolean =>
  token_expires_at !== null && Date.parse(token_expires_at) - Date.now() > at_least_ms

const isDue = (connection: Connection, { life_s }: KitTokens): boolean =>
  !isValidFor(connection, Math.max(MIN_LEFT_MS, life_s * 1000 * MIN_LEFT_SHARE))

/** Returns true if only a new secret can repair the connection. */
const isEnded = ({ status_reason }: Connection): boolean =>
  status_reason === 'invalid_key' || status_reason === 'reconnect'

/** Creates the function that opens stored connections (product 11.10). */
export const createOpenConnection = ({ db, vault, oauth, log }: Dependencies): OpenConnectionOf => {
  /** Running refreshes by connection, which all callers in this process share. */
  const running = new Map<string, Promise<OpenedConnection>>()

  const refuse = async (
    connection: Connection,
    code: CredentialCode,
  ): Promise<OpenedConnection> => {
    await markConnectionRefused(db, connection, code)
    log.warn({ event: 'connection_refused', connection_id: connection.id, code })
    audit('integration_refused', {
      actor_id: connection.user_id,
      object_id: connection.id,
      outcome: 'refused',
      detail: connection.provider,
    })
    return credential(code)
  }
  /** Returns the decrypted secret. Returns undefined if the secret is absent, of another row or altered. */
  const secretOf = (connection: Connection): string | undefined => {
    if (!connection.sealed_secret) return undefined
    try {
      return vault.open(connection, connection.sealed_secret)
    } catch (error) {
      log.error({ err: error, connection_id: connection.id }, 'a stored secret does not open')
      return undefined
    }
  }
  const tokensOf = (connection: Connection): KitTokens | undefined => {
    const secret = secretOf(connection)
    return secret === undefined ? undefined : kitTokens.parse(JSON.parse(secret))
  }

  const refresh = async (
    id: string,
    refused_token: string | undefined,
  ): Promise<OpenedConnection> => {
    if (!(await lockRefresh(db, id, LOCK_SECONDS)))
      return takeTokenOfOtherProcess(id, refused_token)
    // The token may already be refreshed by another process.
    const connection = await loadConnection(db, id)
    const tokens = connection && tokensOf(connection)
    if (!connection || !tokens) return credential('reconnect')
    if (tokens.access_token !== refused_token && !isDue(connection, tokens)) {
      await unlockRefresh(db, id)
      return toOpenedConnection(connection, tokens.access_token)
    }
    return renew(connection, tokens, refused_token)
  }
  const renew = async (
    connection: Connection,
    tokens: KitTokens,
    refused_token: string | undefined,
  ): Promise<OpenedConnection> => {
    const grant = (await oauth?.refresh(tokens.refresh_token)) ?? transient('not_configured')
    if (grant.kind === 'tokens') {
      const sealed_secret = vault.seal(connection, JSON.stringify(grant.tokens))
      const next = { sealed_secret, token_expires_at: grant.expires_at }
      const isOurs = await replaceTokens(db, connection, next)
      // The connection was disconnected during the refresh, so the new tokens are revoked.
      if (!isOurs) await oauth?.revoke(grant.tokens.access_token)
      return isOurs
        ? toOpenedConnection(connection, grant.tokens.access_token)
        : credential('reconnect')
    }
    if (grant.kind === 'refused' && grant.code === 'invalid_grant')
      return handleRejectedToken(connection)
    await unlockRefresh(db, connection.id)
    if (grant.kind === 'refused') {
      log.error({ event: 'kit_client_refused' }, 'Kit does not accept KIT_CLIENT_ID and its secret')
      return {
        ...transient(grant.code),
        wait_ms: CONFIGURATION_ERROR_WAIT_MS,
        pauses_connection: true,
      }
    }
    // The old token may still be valid.
    if (tokens.access_token !== refused_token && isValidFor(connection, 0))
      return toOpenedConnection(connection, tokens.access_token)
    return grant.kind === 'transient' ? grant : transient(grant.code)
  }
  /**
   * Handles a refresh token that Kit rejects. Uses the tokens of another process if there are any, else marks the
   * connection as refused.
   */
  const handleRejectedToken = async (before: Connection): Promise<OpenedConnection> => {
    const now = await loadConnection(db, before.id)
    const tokens = now && tokensOf(now)
    const isNewer = now?.sealed_secret && before.sealed_secret?.equals(now.sealed_secret) === false
    if (now && tokens && isNewer) return toOpenedConnection(now, tokens.access_token)
    await unlockRefresh(db, before.id)
    return refuse(before, 'reconnect')
  }
  /**
   * Returns the current token while another process refreshes, or asks for a later attempt if the token has expired.
   */
  const takeTokenOfOtherProcess = async (
    id: string,
    refused_token: string | undefined,
  ): Promise<OpenedConnection> => {
    const connection = await loadConnection(db, id)
    const tokens = connection && tokensOf(connection)
    if (connection && tokens && tokens.access_token !== refused_token && isValidFor(connection, 0))
      return toOpenedConnection(connection, tokens.access_token)
    return {
      ...transient('refreshing'),
      wait_ms: CONCURRENT_REFRESH_WAIT_MS,
      pauses_connection: true,
    }
  }

  return async (connection_id, refused_token, is_retry) => {
    const connection = await loadConnection(db, connection_id)
    if (!connection?.sealed_secret) return credential('reconnect')
    if (isEnded(connection) && !is_retry)
      return credential(connection.provider === 'convertkit' ? 'reconnect' : 'invalid_key')
    if (connection.provider !== 'convertkit') {
      const secret = secretOf(connection)
      return secret === undefined || secret === refused_token
        ? refuse(connection, 'invalid_key')
        : toOpenedConnection(connection, secret)
    }
    const tokens = tokensOf(connection)
    if (!tokens) return refuse(connection, 'reconnect')
    if (tokens.access_token !== refused_token && !isDue(connection, tokens))
      return toOpenedConnection(connection, tokens.access_token)
    const running_refresh = running.get(connection_id)
    if (running_refresh) return running_refresh
    const refreshing = refresh(connection_id, refused_token).finally(() =>
      running.delete(connection_id),
    )
    running.set(connection_id, refreshing)
    return refreshing
  }
}
