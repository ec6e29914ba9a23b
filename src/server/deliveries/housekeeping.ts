import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#server/db/database.ts'
import { every } from '#server/runtime/every.ts'
import { reconcile } from './reconcile.store.ts'
import { forgetAttempts } from './settle.store.ts'

const HOUR_MS = 3_600_000

/** Checks every hour that no delivery is missing, and deletes old attempts; gives how to stop. */
export const scheduleReconciling = (
  db: Db,
  log: Pick<FastifyBaseLogger, 'error'>,
  onFound: () => void,
): (() => Promise<void>) => {
  const run = async (): Promise<void> => {
    const missing = await reconcile(db)
    if (missing > 0) {
      log.error({ missing }, 'deliveries were missing and have been written')
      onFound()
    }
    await forgetAttempts(db, new Date())
  }
  return every(HOUR_MS, run, {
    onFailure: (error) => log.error({ err: error }, 'the outbox was not reconciled'),
  })
}
