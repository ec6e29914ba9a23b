import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { UNKNOWN_TIME_ZONE } from '#contract/account.ts'
import { api } from '#contract/api.ts'
import { accountCountry } from '#domain/common/phone-countries.ts'
import { timeZoneName } from '#domain/common/time-zone-labels.ts'
import { audit } from '#server/audit/audit.ts'
import { listSessions } from '#server/auth/sessions/sessions.store.ts'
import type { Db } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import type { Creator } from '#server/http/edge/caller.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { type Handlers, mount, Reply, responseOf } from '#server/http/edge/mount.ts'
import { deleteAccount, findPreferences, saveCountry, saveTimeZone } from './account.store.ts'
import { listQuizIds } from './export.store.ts'
import { exportParts } from './export-data.ts'

const FILE = 'attachment; filename="quizaine-mes-donnees.json"'

const shownPreferences = async (db: Db, { id, is_administrator }: Creator) => {
  const { time_zone, country } = await findPreferences(db, id)
  return {
    preferences: {
      time_zone,
      time_zone_name: timeZoneName(time_zone),
      country: accountCountry(country, time_zone),
    },
    is_administrator: is_administrator === true,
  }
}

/** Creates the handlers of `preferences` in contract/account.ts. */
const preferencesHandlers = (db: Db): Handlers<typeof api.preferences> => ({
  get: async (_input, creator) => shownPreferences(db, creator),

  set: async ({ body: { time_zone, country } }, creator) => {
    const { id } = creator
    if (time_zone !== undefined && !(await saveTimeZone(db, id, time_zone)))
      throw invalid(UNKNOWN_TIME_ZONE, 'time_zone')
    if (country !== undefined) await saveCountry(db, id, country)
    return shownPreferences(db, creator)
  },
})

type Dependencies = {
  db: Db
  /** Database connection for long statements, because all participants of a creator are deleted at once. */
  patient_db: Db
  heavyWork: Pick<HeavyWork, 'stream'>
  /** Called with each quiz that was deleted. */
  onDeleted: (quiz_id: string) => void
  /** Prepares the end of an account's consents at email tools; the result ends them. */
  revocationOf: (user_id: string) => Promise<() => Promise<void>>
}

/**
 * Deletes an account with everything stored for its creator. `check` runs first in the transaction of the deletion. The
 * result ends the consents of the account at email tools.
 */
export type RemoveAccount = (
  id: string,
  check?: (transaction: Db) => Promise<void>,
) => Promise<() => Promise<void>>

const createRemoveAccount =
  ({
    patient_db,
    onDeleted,
    revocationOf,
  }: Pick<Dependencies, 'patient_db' | 'onDeleted' | 'revocationOf'>): RemoveAccount =>
  async (id, check) => {
    const revoke = await revocationOf(id)
    for (const quiz_id of await deleteAccount(patient_db, id, check)) onDeleted(quiz_id)
    return revoke
  }

/** Creates the handlers of contract/account.ts. */
const accountHandlers = ({
  db,
  heavyWork,
  removeAccount,
}: Pick<Dependencies, 'db' | 'heavyWork'> & { removeAccount: RemoveAccount }): Handlers<
  typeof api.account
> => ({
  sessions: async (_input, { id, session_id }) => {
    const sessions = await listSessions(db, id)
    return {
      sessions: sessions.map((session) => ({ ...session, is_current: session.id === session_id })),
    }
  },

  exportData: async (_input, { id, session_id }, request) => {
    const size = (await listQuizIds(db, id)).length
    const job = { kind: 'account_export', owner: id, size } as const
    return heavyWork.stream(job, responseOf(request), async (_ended, inTurn) => {
      audit('account_exported', { actor_id: id, session_id })
      const parts = exportParts({ db, creator_id: id, inTurn })
      return new Reply<never>(200, Readable.from(parts, { objectMode: false }), {
        'content-disposition': FILE,
      })
    })
  },

  remove: async (_input, { id, session_id }) => {
    const revoke = await removeAccount(id)
    audit('account_deleted', { actor_id: id, session_id })
    await revoke()
    return undefined
  },
})

/** Mounts the account of the caller and its preferences. Returns the deletion of any account. */
export const registerAccount = (
  app: FastifyInstance,
  deps: Dependencies,
): { removeAccount: RemoveAccount } => {
  const removeAccount = createRemoveAccount(deps)
  mount(app, api.account, accountHandlers({ ...deps, removeAccount }))
  mount(app, api.preferences, preferencesHandlers(deps.db))
  return { removeAccount }
}
