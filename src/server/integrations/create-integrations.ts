import type { FastifyBaseLogger } from 'fastify'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import { runEvery } from '#server/runtime/run-every.ts'
import { createVault, type Vault } from '#server/runtime/sealing.ts'
import {
  type Connection,
  listActiveConnections,
  listIdleConnections,
  loadConnection,
  markConnectionRefused,
  markConnectionWorking,
} from './connections.store.ts'
import { createKitOauth, kitTokens } from './kit-oauth.ts'
import { createOpenConnection } from './open-connection.ts'
import { createBrevo } from './providers/brevo.ts'
import { createKit } from './providers/kit.ts'
import type {
  CredentialProblem,
  Failure,
  OpenConnection,
  OpenConnectionOf,
  Provider,
} from './providers/provider.ts'
import { createSystemio } from './providers/systemio.ts'
import { createProvisionQuiz, type ProvisionQuiz } from './provision-quiz.ts'

const KEEP_ALIVE_EVERY_MS = 3_600_000
const IDLE_DAYS = 5
const REFRESH_BATCH_SIZE = 50
const CLOSE_TIMEOUT_MS = 5_000

/** Clients of the email tools, and functions that use stored connections. */
export type Integrations = {
  vault: Vault
  oauth: ReturnType<typeof createKitOauth>
  providers: Record<ProviderName, Provider>
  openConnection: OpenConnectionOf
  /**
   * Opens a connection and calls `act`, once more with a fresh token after a 401. Records on the connection whether
   * the tool accepts the account.
   */
  use: <T extends { kind: string }>(
    connection_id: string,
    act: (connection: OpenConnection, provider: Provider) => Promise<T | Failure>,
    is_retry?: boolean,
  ) => Promise<T | Failure>
  provisionQuiz: ProvisionQuiz
  /** Revokes the consent at the tool if possible. Gives up after a short timeout and never throws. */
  revoke: (connection: Connection) => Promise<void>
  revocationOf: (user_id: string) => Promise<() => Promise<void>>
  /** Refreshes idle connections periodically. Returns a function that stops and waits for the running refresh. */
  keepAlive: () => () => Promise<void>
}

const isCredential = (outcome: { kind: string }): outcome is CredentialProblem =>
  outcome.kind === 'credential'

/** Creates the clients of the email tools and the functions that use connections. */
export const createIntegrations = ({
  db,
  config,
  secretKey,
  log,
}: {
  db: Db
  config: Pick<Config, 'integrations' | 'public_url'>
  secretKey: string | Uint8Array
  log: FastifyBaseLogger
}): Integrations => {
  const { kit, systemio, brevo } = config.integrations
  const addresses = [kit.api_url, kit.token_url, kit.revoke_url, systemio.api_url, brevo.api_url]
  if (addresses.some((address) => address.startsWith('http:')))
    log.warn('an email tool is called over plain http: for tests on this machine alone')
  const vault = createVault(secretKey)
  const redirect_uri = `${config.public_url}/api/v1/integrations/convertkit/callback`
  const oauth = createKitOauth(kit, redirect_uri)
  const providers = {
    convertkit: createKit(kit),
    systemio: createSystemio(systemio),
    brevo: createBrevo(brevo),
  }
  const openConnection = createOpenConnection({ db, vault, oauth, log })

  /** Records whether the tool refuses or accepts the account. Ignores a refusal if the secret has been replaced. */
  const recordAcceptance = async <T extends { kind: string }>(
    { connection_id, generation }: { connection_id: string; generation: number | undefined },
    outcome: T | Failure,
  ): Promise<T | Failure> => {
    if (isCredential(outcome)) {
      const connection = await loadConnection(db, connection_id)
      if (connection?.sealed_secret && connection.generation === generation)
        await markConnectionRefused(db, connection, outcome.code)
    } else if (outcome.kind !== 'transient' && outcome.kind !== 'unknown')
      await markConnectionWorking(db, connection_id)
    return outcome
  }
  const use: Integrations['use'] = async (connection_id, act, is_retry) => {
    const used = {
      connection_id,
      generation: (await loadConnection(db, connection_id))?.generation,
    }
    const first = await openConnection(connection_id, undefined, is_retry)
    if (first.kind !== 'open') return first
    const { connection } = first
    const provider = providers[connection.provider]
    const outcome = await act(connection, provider)
    if (!isCredential(outcome) || !outcome.needs_reconnect) return recordAcceptance(used, outcome)
    const second = await openConnection(connection_id, connection.secret, is_retry)
    if (second.kind !== 'open') return second
    return recordAcceptance(used, await act(second.connection, provider))
  }

  const revoke = async (connection: Connection): Promise<void> => {
    if (connection.provider !== 'convertkit' || !connection.sealed_secret) return
    try {
      const secret = vault.open(connection, connection.sealed_secret)
      await oauth?.revoke(kitTokens.parse(JSON.parse(secret)).access_token)
    } catch (error) {
      log.error({ err: error, connection_id: connection.id }, 'a consent could not be revoked')
    }
  }

  return {
    vault,
    oauth,
    providers,
    openConnection,
    use,

    provisionQuiz: createProvisionQuiz({ db, use }),

    revoke,
    revocationOf: async (user_id) => {
      const connections = await listActiveConnections(db, user_id)
      return async () => {
        await Promise.all(connections.map(revoke))
      }
    },

    keepAlive: () => {
      const run = async (signal: AbortSignal): Promise<void> => {
        for (const id of await listIdleConnections(db, IDLE_DAYS, REFRESH_BATCH_SIZE))
          if (!signal.aborted) await openConnection(id)
      }
      const stop = runEvery(KEEP_ALIVE_EVERY_MS, run, {
        onFailure: (error) => log.error({ err: error }, 'idle connections could not be kept alive'),
      })
      return () => settleWithin(CLOSE_TIMEOUT_MS, stop())
    },
  }
}
