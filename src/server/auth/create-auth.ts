import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { openTransport } from '#server/mails/transport.ts'
import { runEvery } from '#server/runtime/run-every.ts'
import { deriveKey } from '#server/runtime/sealing.ts'
import { createAccountManagement } from './admin/manage-accounts.ts'
import { authRoutes } from './auth.routes.ts'
import { deleteExpiredRows } from './expired-rows.store.ts'
import { createProviders } from './external/providers.ts'
import { FACTOR_PURPOSE } from './factors/totp.ts'
import { createCallerIdentification } from './identify-caller.ts'
import { createMailRateLimit } from './mail/mail-rate-limit.ts'
import { createMailer } from './mail/mailer.ts'
import { createBackoff, HASHING_THREADS } from './password/hashing-threads.ts'
import { createPasswordQueue, createWrongPasswords } from './password/password-limits.ts'
import { createRateLimits } from './rate-limits.ts'
import { createReplyCodes } from './reply-addresses/reply-codes.ts'
import type { Plugins, Services } from './services.ts'
import { loadKeyRing } from './sessions/key-ring.ts'
import { createTokens } from './sessions/tokens.ts'

const BASE = '/auth/v1'
const DELETION_INTERVAL_MS = 3_600_000

/**
 * Deletes expired rows now and every hour. Returns a function that stops the schedule and waits for the current run.
 */
const scheduleDeletion = ({ db, log }: Pick<Services, 'db' | 'log'>) =>
  runEvery(DELETION_INTERVAL_MS, () => deleteExpiredRows(db), {
    is_immediate: true,
    onFailure: (error) =>
      log.error({ err: error }, 'expired rows of authentication could not be deleted'),
  })

/**
 * Creates the embedded auth service. `register` mounts /auth/v1, `accounts` changes accounts for administrators, and
 * `replyCodes` confirms addresses for replies; the other functions are those of `createCallerIdentification`.
 */
export const createAuth = ({
  db,
  config,
  log,
  secretKey,
  plugins = {},
}: {
  db: Db
  config: Config
  log: FastifyBaseLogger
  secretKey: string | Uint8Array
  plugins?: Plugins
}) => {
  const { auth, public_url, admin_emails } = config
  const deps = {
    db,
    log,
    auth,
    admin_emails,
    public_url,
    codeKey: deriveKey(secretKey, 'auth/one-time-codes'),
  }
  if (!config.smtp_url)
    log.info('SMTP_URL is not set: mails are not sent, but written to DATA_DIR/mail')
  const mailer = createMailer(deps, openTransport(config, log))
  const passwordQueue = createPasswordQueue({
    max_concurrent: HASHING_THREADS,
    has_shares: config.rate_limits,
    backoffAfter: createBackoff(),
  })
  const services: Services = {
    ...deps,
    tokens: createTokens(() => loadKeyRing(db, secretKey, auth), `${public_url}${BASE}`),
    refreshKey: deriveKey(secretKey, 'auth/refresh-tokens'),
    factorKey: deriveKey(secretKey, FACTOR_PURPOSE),
    attemptKey: deriveKey(secretKey, 'auth/attempts'),
    providerKey: deriveKey(secretKey, 'auth/provider-tokens'),
    providers: createProviders(auth.external),
    plugins,
    passwordQueue,
    hashing: (task) => passwordQueue({ key: '' }, task),
    wrongPasswords: config.rate_limits ? createWrongPasswords() : undefined,
    mailRateLimit: createMailRateLimit(config.rate_limits, auth.mails_per_hour),
    mailer,
  }
  return {
    register: (app: FastifyInstance): void => {
      let stopDeletion: (() => Promise<void>) | undefined
      app.addHook('onReady', async () => {
        mailer.wake()
        stopDeletion = scheduleDeletion({ db, log })
      })
      app.addHook('onClose', () => stopDeletion?.())
      app.addHook('onClose', () => mailer.close())
      app.register(authRoutes(services, createRateLimits(config.rate_limits)), { prefix: BASE })
    },
    accounts: createAccountManagement(services, config.smtp_url !== undefined),
    replyCodes: createReplyCodes(services),
    ...createCallerIdentification(services),
  }
}
