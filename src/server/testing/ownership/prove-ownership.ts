import { pino } from 'pino'
import { openPool } from '#server/db/database.ts'
import { createTestDatabase, findTestServer } from '#server/testing/app/test-server.ts'
import * as accounts from './accounts.ts'
import * as automations from './automations.ts'
import * as contents from './contents.ts'
import * as erasures from './erasures.ts'
import * as fieldMappings from './field-mappings.ts'
import * as figures from './figures.ts'
import * as folders from './folders.ts'
import * as keys from './keys.ts'
import * as mails from './mails.ts'
import * as participants from './participants.ts'
import * as progress from './progress.ts'
import * as quizzes from './quizzes.ts'
import * as runs from './runs.ts'
import { createScene, type Proof } from './scene.ts'
import * as sessions from './sessions.ts'
import * as settings from './settings.ts'
import * as webhooks from './webhooks.ts'

/** Tests of every query function with an ownership condition, by file name of their set. */
export const PROOFS: Readonly<Record<string, Record<string, Proof>>> = {
  accounts,
  sessions,
  quizzes,
  contents,
  participants,
  figures,
  keys,
  webhooks,
  runs,
  erasures,
  mails,
  automations,
  fieldMappings,
  folders,
  settings,
  progress,
}

/** Runs ownership tests in one database, each with two new creators. Throws at the first failure. */
export const proveOwnership = async (proofs: readonly Proof[]): Promise<void> => {
  const { server, stop } = await findTestServer()
  const database = await createTestDatabase(server)
  const opened = openPool(database.connection, pino({ level: 'silent' }))
  try {
    for (const proof of proofs) await proof(await createScene(opened))
  } finally {
    await opened.close()
    await database.drop()
    await stop()
  }
}
