/** Encrypts all stored secrets with a new SECRET_KEY. The server must not run meanwhile. */
import { pino } from 'pino'
import { recordCommand } from '#server/audit/audit-log.ts'
import { readConfig } from '#server/config/config.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { rotateSecrets } from '#server/rotate-secrets.ts'
import { loadSecretKey } from '#server/runtime/secret-key.ts'
import { fail } from './fail.ts'

const config = readConfig(process.env)
const next = config.secret_key
  ? loadSecretKey(config)
  : fail(new Error('Set SECRET_KEY to the new key, of 32 characters or more.'))
const { OLD_SECRET_KEY } = process.env
const old = loadSecretKey({ secret_key: OLD_SECRET_KEY || undefined, data_dir: config.data_dir })
const database = await openDatabase({ config, log: pino({ level: 'warn' }) }).catch(fail)
try {
  const count = await rotateSecrets(database.db, old, next)
  await recordCommand(database.pool, 'secrets_rotated', String(count))
  console.log(`${count} secrets are sealed under the new SECRET_KEY: start the server with it.`)
} catch {
  process.exitCode = 1
  console.error('Nothing was changed: a stored secret does not open under the old key.')
} finally {
  await database.close()
}
