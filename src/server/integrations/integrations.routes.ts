import type { FastifyBaseLogger } from 'fastify'
import type { api } from '#contract/api.ts'
import type { KeyStatus, KitStatus, QuizSwitches } from '#contract/integrations.ts'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { fieldNameOf, tagsByDefault } from '#domain/deliveries/integrations.ts'
import { audit } from '#server/audit/audit.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { tooMany } from '#server/http/edge/errors.ts'
import { type Handlers, Reply } from '#server/http/edge/mount.ts'
import { createTokenBucket } from '#server/http/edge/rate-limits.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import {
  createFieldError,
  createKeyError,
  createNotConnectedError,
  createOtherAccountError,
  describeAccountProblem,
  silent,
} from './connection-errors.ts'
import {
  type Connection,
  eraseSecret,
  findConnection,
  storeConnection,
} from './connections.store.ts'
import type { Integrations } from './create-integrations.ts'
import { consentCookie } from './kit-consent.routes.ts'
import { startKitConsent } from './kit-consent.ts'
import { listSwitches, type SwitchInput, writeSwitch } from './switches.store.ts'

type Dependencies = {
  db: Db
  config: Pick<Config, 'public_url' | 'rate_limits'>
  integrations: Integrations
  log: FastifyBaseLogger
}
type KeyProvider = 'systemio' | 'brevo'
type NewKey = { api_key: string; replace_account?: boolean | undefined }
type OwnedQuiz = { quiz_id: string; creator_id: string }

/** Limit of attempts, because each calls the tool, and an account may allow only a hundred calls an hour. */
const ATTEMPTS = { calls: 5, per_seconds: 600, burst: 5 }

const detailsOf = (connection: Connection | undefined) => {
  const reason = connection?.status === 'needs_attention' ? connection.status_reason : null
  return {
    email: connection?.vendor_email ?? null,
    needs_attention: reason !== null,
    message:
      connection && reason !== null
        ? describeAccountProblem(connection.provider, { code: reason })
        : null,
  }
}
const holdsSecret = (connection: Connection | undefined): boolean =>
  connection !== undefined && connection.sealed_secret !== null

/** Returns the handlers of contract/integrations.ts. */
export const integrationsHandlers = (deps: Dependencies): Handlers<typeof api.integrations> => {
  const { db, config, integrations } = deps
  const attempts = createTokenBucket(ATTEMPTS)
  const limit = (user_id: string, provider: ProviderName): void => {
    const seconds = config.rate_limits ? attempts(`${user_id} ${provider}`) : 0
    if (seconds > 0) throw tooMany(seconds)
  }

  const kitStatus = async (user_id: string): Promise<KitStatus> => {
    const connection = await findConnection(db, { user_id, provider: 'convertkit' })
    return { connected: holdsSecret(connection), ...detailsOf(connection) }
  }
  const keyStatus = async (user_id: string, provider: KeyProvider): Promise<KeyStatus> => {
    const connection = await findConnection(db, { user_id, provider })
    return { configured: holdsSecret(connection), ...detailsOf(connection) }
  }
  const saveKey = async (
    user_id: string,
    provider: KeyProvider,
    { api_key: secret, replace_account: may_replace = false }: NewKey,
  ): Promise<KeyStatus> => {
    limit(user_id, provider)
    const identity = await integrations.providers[provider].check(secret)
    if (identity.kind !== 'valid') throw createKeyError(provider, secret, identity)
    const { vendor_account_id, vendor_email } = identity
    const verified = { secret, vendor_account_id, vendor_email, token_expires_at: null }
    const owned = { user_id, provider, may_replace }
    const replaced = await storeConnection(db, integrations.vault, owned, verified)
    if (replaced) throw createOtherAccountError(provider, replaced, vendor_email)
    audit('integration_key_saved', { actor_id: user_id, detail: provider })
    return keyStatus(user_id, provider)
  }
  /** Checks a refused connection again after its creator has acted at the tool. */
  const check = async (user_id: string, provider: ProviderName): Promise<void> => {
    limit(user_id, provider)
    const connection = await findConnection(db, { user_id, provider })
    if (!connection || !holdsSecret(connection)) throw createNotConnectedError()
    const outcome = await integrations.use(
      connection.id,
      ({ secret }, tool) => tool.check(secret),
      true,
    )
    if (outcome.kind === 'transient' || outcome.kind === 'unknown') throw silent()
  }
  const disconnect = async (user_id: string, provider: ProviderName): Promise<void> => {
    const connection = await findConnection(db, { user_id, provider })
    await eraseSecret(db, { user_id, provider })
    if (connection) await integrations.revoke(connection)
    audit('integration_disconnected', { actor_id: user_id, detail: provider })
  }
  const switchesOf = async ({ quiz_id }: OwnedQuiz): Promise<QuizSwitches> => {
    const rows = await listSwitches(db, quiz_id)
    const statusOf = (provider: ProviderName) => {
      const row = rows.find((candidate) => candidate.provider === provider)
      return {
        enabled: Boolean(row?.enabled && row.is_connected),
        tag_by_result: row?.tag_by_result ?? tagsByDefault(provider),
        sends_parameters: row?.sends_parameters ?? false,
      }
    }
    return {
      convertkit: statusOf('convertkit'),
      systemio: statusOf('systemio'),
      brevo: statusOf('brevo'),
      has_been_enabled: rows.some(({ first_enabled_at }) => first_enabled_at !== null),
    }
  }
  const setSwitch = async (
    owned: OwnedQuiz,
    provider: ProviderName,
    input: SwitchInput,
  ): Promise<QuizSwitches> => {
    const { quiz } = await loadQuiz(db, owned)
    const { quiz_id } = owned
    const { enabled = (await switchesOf(owned))[provider].enabled } = input
    if (enabled) {
      const connection = await findConnection(db, { user_id: owned.creator_id, provider })
      if (!holdsSecret(connection)) throw createNotConnectedError()
      const outcome = await integrations.provisionQuiz({ quiz_id, provider })
      if (outcome.kind !== 'provisioned')
        throw createFieldError(provider, fieldNameOf(provider, quiz), outcome)
    }
    await writeSwitch(db, { quiz_id, provider }, input)
    return switchesOf(owned)
  }

  return {
    kitStatus: (_input, { id }) => kitStatus(id),
    connectKit: async ({ return_to, quiz_id, screen, replace_account }, { id }, request) => {
      limit(id, 'convertkit')
      const { browser, headers } = consentCookie.begin(request, config.public_url)
      const auth_url = await startKitConsent(deps, {
        user_id: id,
        browser,
        return_to,
        quiz_id,
        screen,
        may_replace: replace_account !== undefined,
      })
      return new Reply(200, { auth_url }, headers)
    },
    disconnectKit: async (_input, { id }) => {
      await disconnect(id, 'convertkit')
      return kitStatus(id)
    },

    checkKit: async (_input, { id }) => {
      await check(id, 'convertkit')
      return kitStatus(id)
    },

    systemioStatus: (_input, { id }) => keyStatus(id, 'systemio'),
    saveSystemio: ({ body }, { id }) => saveKey(id, 'systemio', body),
    removeSystemio: async (_input, { id }) => {
      await disconnect(id, 'systemio')
      return undefined
    },
    checkSystemio: async (_input, { id }) => {
      await check(id, 'systemio')
      return keyStatus(id, 'systemio')
    },
    brevoStatus: (_input, { id }) => keyStatus(id, 'brevo'),
    saveBrevo: ({ body }, { id }) => saveKey(id, 'brevo', body),
    removeBrevo: async (_input, { id }) => {
      await disconnect(id, 'brevo')
      return undefined
    },
    checkBrevo: async (_input, { id }) => {
      await check(id, 'brevo')
      return keyStatus(id, 'brevo')
    },

    ofQuiz: async ({ id: quiz_id }, { id: creator_id }) => {
      await loadQuiz(db, { quiz_id, creator_id })
      return switchesOf({ quiz_id, creator_id })
    },
    setConvertkit: ({ id: quiz_id, body }, { id: creator_id }) =>
      setSwitch({ quiz_id, creator_id }, 'convertkit', body),
    setSystemio: ({ id: quiz_id, body }, { id: creator_id }) =>
      setSwitch({ quiz_id, creator_id }, 'systemio', body),
    setBrevo: ({ id: quiz_id, body }, { id: creator_id }) =>
      setSwitch({ quiz_id, creator_id }, 'brevo', body),
  }
}
