import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { InstallationStorage, ListedAccount } from '#contract/admin.ts'
import { api } from '#contract/api.ts'
import type { RemoveAccount } from '#server/account/account.routes.ts'
import { audit } from '#server/audit/audit.ts'
import type { AuditEvent } from '#server/audit/audit-events.ts'
import { type AccountManagement, lockChangeable } from '#server/auth/admin/manage-accounts.ts'
import type { Config } from '#server/config/config.ts'
import type { Database, Db } from '#server/db/database.ts'
import type { Creator } from '#server/http/edge/caller.ts'
import { conflict, notFound, unknownPath } from '#server/http/edge/errors.ts'
import { type Handlers, mount } from '#server/http/edge/mount.ts'
import { countUnprovenAddresses, findListedAccount, listAccounts } from './accounts.store.ts'
import { type OverviewDependencies, readOverview } from './read-overview.ts'
import { listLargestCreators, readSizes } from './storage.store.ts'

type Dependencies = OverviewDependencies & {
  database: Database
  config: Config
  log: FastifyBaseLogger
  removeAccount: RemoveAccount
}

/** Age at which the sizes are read again, because they need a look at every file of the database. */
const STORAGE_MAX_AGE_MS = 60_000

/** Creates a reader of the used space. Simultaneous and later calls within a minute share its reads. */
const createStorageReader = ({
  database: { db },
  config: { image_quota, version_quota },
}: Pick<Dependencies, 'database' | 'config'>): (() => Promise<InstallationStorage>) => {
  const read = async (): Promise<InstallationStorage> => ({
    ...(await readSizes(db)),
    largest: await listLargestCreators(db),
    image_quota_bytes: image_quota,
    version_quota_bytes: version_quota,
  })
  let shared: { at: number; reading: Promise<InstallationStorage> } | undefined
  return () => {
    if (!shared || performance.now() - shared.at > STORAGE_MAX_AGE_MS) {
      const reading = read()
      const begun = { at: performance.now(), reading }
      shared = begun
      reading.catch(() => {
        if (shared === begun) shared = undefined
      })
    }
    return shared.reading
  }
}

/** Creates the handlers that change accounts. */
const accountHandlers = (
  { config: { admin_emails }, database: { db }, removeAccount }: Dependencies,
  requireAccounts: () => AccountManagement,
): Pick<Handlers<typeof api.admin>, 'accounts' | 'invite' | 'disable' | 'enable' | 'remove'> => {
  const setDisabled = async (
    account_id: string,
    { id: actor_id, session_id }: Creator,
    is_disabled: boolean,
  ): Promise<{ account: ListedAccount }> => {
    await requireAccounts().setDisabled({ actor_id, account_id }, is_disabled)
    const event: AuditEvent = is_disabled ? 'user_disabled' : 'user_enabled'
    audit(event, { actor_id, session_id, object_id: account_id })
    const account = await findListedAccount(db, account_id, admin_emails)
    if (!account) throw notFound('Compte introuvable')
    return { account }
  }
  return {
    accounts: async ({ order, search, after }) => {
      requireAccounts()
      return listAccounts(db, { order, search, after, admin_emails })
    },

    invite: async ({ body }, { id: actor_id, session_id }) => {
      const invited = await requireAccounts().invite(body.email)
      const { account_id: object_id, email } = invited
      audit('user_invited', { actor_id, session_id, object_id, email })
      return invited
    },

    disable: ({ accountId }, creator) => setDisabled(accountId, creator, true),
    enable: ({ accountId }, creator) => setDisabled(accountId, creator, false),

    remove: async ({ accountId: account_id, body }, { id: actor_id, session_id }) => {
      requireAccounts()
      const check = async (transaction: Db): Promise<void> => {
        const { email } = await lockChangeable(transaction, { actor_id, account_id })
        if (email !== body.email)
          throw conflict(
            'account_changed',
            'L’adresse de ce compte a changé : actualisez la liste, puis confirmez à nouveau',
          )
      }
      const revoke = await removeAccount(account_id, check)
      audit('user_deleted', { actor_id, session_id, object_id: account_id, detail: 'hard' })
      await revoke()
      return undefined
    },
  }
}

/**
 * Mounts the calls of administrators. Logs at the start how many addresses of ADMIN_EMAILS belong to no account that could
 * administer.
 */
export const registerAdmin = (app: FastifyInstance, deps: Dependencies): void => {
  const { config, database, accounts, log } = deps
  /** Returns the accounts of this installation. Throws the 404 of an unknown path if another service holds them. */
  const requireAccounts = (): AccountManagement => {
    if (!accounts) throw unknownPath()
    return accounts
  }
  const readStorage = createStorageReader(deps)
  mount(app, api.admin, {
    overview: () => readOverview(deps),
    storage: () => readStorage(),
    ...accountHandlers(deps, requireAccounts),
    setSignUp: async ({ body: { sign_up_mode } }, { id: actor_id, session_id }) => {
      await requireAccounts().saveSignUpMode(sign_up_mode)
      audit('sign_up_mode_changed', { actor_id, session_id, detail: sign_up_mode })
      return { sign_up_mode }
    },
  })
  if (!accounts || config.admin_emails.length === 0) return
  app.addHook('onReady', async () => {
    const nb_unproven = await countUnprovenAddresses(database.db, config.admin_emails)
    if (nb_unproven > 0)
      log.warn(
        { nb_unproven },
        'addresses of ADMIN_EMAILS have no account with a proven address, so they do not administer (docs/operations.md)',
      )
  })
}
