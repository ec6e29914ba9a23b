import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { Client } from '#contract/client/client.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config/config.ts'
import { openPool } from '#server/db/database.ts'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { indexRareAnswers } from '#server/statistics/selection/rare-answers.store.ts'
import { clientOf } from '../../scripts/http-client.ts'
import { signInAs } from '../creator.ts'
import { fill, makeQuiz } from './participants.ts'

const SECRET_KEY = 'a secret key for benchmarks only'
const CREATOR = { email: 'mesure@exemple.fr', password: 'un mot de passe' }

/**
 * Starts the server in this process, on a temporary database or on the database of an existing folder.
 */
export const startMeasuredServer = async (existing_folder: string | undefined) => {
  const folder = existing_folder ?? mkdtempSync(join(tmpdir(), 'quizaine-bench-'))
  const log = pino({ level: 'silent' })
  const { connection, stop } = await startEmbedded({ data_dir: join(folder, 'data'), log })
  await migrate(connection)
  const opened = openPool(connection, log)
  const config = readConfig({ RATE_LIMITS: 'off', SECRET_KEY, DATA_DIR: join(folder, 'data') })
  const database = { ...opened }
  const app = await createApp({ config, database, secretKey: SECRET_KEY, log, has_pages: false })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const session = new pg.Client(connection)
  await session.connect()
  return {
    ...opened,
    origin,
    /** Database session without the timeouts of the server. */
    session,
    client: clientOf(origin, await signInAs(origin, CREATOR)),
    close: async (): Promise<void> => {
      await app.close()
      await opened.close()
      await session.end()
      await stop()
      if (!existing_folder) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Server in this process, with its database session and a client. */
export type MeasuredServer = Awaited<ReturnType<typeof startMeasuredServer>>

/** Returns the id of a quiz with `size` participants, and creates the quiz if it does not exist. */
export const quizOf = async (
  { client, session, db }: Pick<MeasuredServer, 'client' | 'session' | 'db'>,
  size: number,
): Promise<string> => {
  const id = (await findQuiz(client, size)) ?? (await makeQuiz(client))
  if ((await client.quizzes.get({ id })).quiz.nb_responses === size) return id
  await fill(session, { quiz_id: id, size })
  await indexRareAnswers(db)
  await session.query('vacuum analyze')
  return id
}

const findQuiz = async (client: Client, size: number): Promise<string | undefined> =>
  (await client.quizzes.list()).quizzes.find(({ nb_responses }) => nb_responses === size)?.id
