import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#server/db/database.ts'
import { every } from '#server/runtime/every.ts'
import { listNext, listUnlisted } from './rare-answers.store.ts'

const EVERY_MS = 60_000

/** Lists the rare answers of the participants since the last run, in steps with short locks. */
export const listRareAnswers = async (db: Db, signal?: AbortSignal): Promise<void> => {
  for (const quiz_id of await listUnlisted(db))
    while (!signal?.aborted && (await listNext(db, quiz_id)));
}

/** Runs it every minute. Gives how to stop, which waits for the step under way. */
export const scheduleRareAnswers = (
  db: Db,
  log: Pick<FastifyBaseLogger, 'warn'>,
): (() => Promise<void>) =>
  every(EVERY_MS, (signal) => listRareAnswers(db, signal), {
    onFailure: (error) => log.warn({ err: error }, 'rare answers were not listed'),
  })
