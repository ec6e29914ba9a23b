import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#server/db/database.ts'
import { listNext, listUnlisted } from './rare-answers.store.ts'

const EVERY_MS = 60_000

/** Lists the rare answers of whoever came since, in steps that hold nobody back. */
export const listRareAnswers = async (db: Db): Promise<void> => {
  for (const quiz_id of await listUnlisted(db)) while (await listNext(db, quiz_id));
}

/** Does so every minute, from the first one on. Gives how to stop, which waits for the step under way. */
export const scheduleRareAnswers = (
  db: Db,
  log: Pick<FastifyBaseLogger, 'warn'>,
): (() => Promise<void>) => {
  let listing = Promise.resolve()
  const list = (): void => {
    listing = listing
      .then(() => listRareAnswers(db))
      .catch((error: unknown) => log.warn({ err: error }, 'rare answers were not listed'))
  }
  const timer = setInterval(list, EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return listing
  }
}
