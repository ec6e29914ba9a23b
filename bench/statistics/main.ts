/**
 * How statistics bear many participants: the statistics call at a large quiz against a small one, filtered
 * first pages against the read of one row, the CSV export against PostgreSQL's own COPY. Prints ratios,
 * which depend less on the machine than times. `npm run bench:statistics [participants]`, 1,000,000 unless told.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openPool } from '#server/db/database.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { findDifferences } from '#server/statistics/verify.store.ts'
import { clientOf } from '../../scripts/http-client.ts'
import { measureFirstPages } from './first-pages.ts'
import { fill, makeQuiz } from './participants.ts'
import { ms, quantile, ratio, timeOf, times } from './timing.ts'

const SMALL = 1_000
const RUNS = 60
const size = Number(process.argv[2] ?? 1_000_000)

const folder = mkdtempSync(join(tmpdir(), 'quizaine-bench-'))
const log = pino({ level: 'silent' })
const { connection, stop } = await startEmbedded({ data_dir: join(folder, 'data'), log })
await migrate(connection)
const opened = openPool(connection, log)
const secretKey = 'a secret that only this run knows of'
const config = readConfig({ RATE_LIMITS: 'off', SECRET_KEY: secretKey })
const app = await createApp({ config, database: { ...opened }, secretKey, log, has_pages: false })
const slow = new pg.Client(connection)
await slow.connect()

try {
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${origin}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'mesure@exemple.fr', password: 'un mot de passe' }),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  const client = clientOf(origin, access_token)
  const file = join('/tmp', `${folder.split('/').at(-1)}.tsv`)

  const small = await makeQuiz(client)
  const large = await makeQuiz(client)
  await fill(slow, { quiz_id: small, size: SMALL, file })
  console.log(
    `${size} participants by COPY: ${ms(await timeOf(() => fill(slow, { quiz_id: large, size, file })))}`,
  )
  await slow.query('vacuum analyze')
  console.log(`a recount finds ${(await findDifferences(slow)).length} differences`)

  const statistics = (id: string) =>
    times(RUNS, () => client.statistics.responses({ id, figures: '1' }))
  const [few, many] = [await statistics(small), await statistics(large)]
  for (const share of [0.5, 0.99])
    console.log(
      `statistics call, p${share * 100}: ${ms(quantile(many, share))} at ${size}, ${ms(quantile(few, share))} at ${SMALL}: ${ratio(quantile(many, share), quantile(few, share))}`,
    )

  const { rows } = await slow.query<{ whole: number; indexes: number }>(
    `select pg_total_relation_size('responses')::float as whole, pg_indexes_size('responses')::float as indexes`,
  )
  const { whole = 0, indexes = 0 } = rows[0] ?? {}
  const each = (bytes: number): string => `${(bytes / (size + SMALL)).toFixed(0)} bytes`
  console.log(`disk for each participant: ${each(whole)}, of which indexes ${each(indexes)}`)

  await measureFirstPages({ db: opened.db, pool: opened.pool, client, quiz_id: large, size })

  const before = process.memoryUsage().rss
  let most = before
  let bytes = 0
  const exporting = await timeOf(async () => {
    const { url } = await client.exports.link({ id: large, body: { format: 'csv' } })
    const { body } = await fetch(origin + url)
    for await (const chunk of body ?? []) {
      bytes += chunk.length
      most = Math.max(most, process.memoryUsage().rss)
    }
  })
  const copying = await timeOf(() =>
    slow.query(
      `copy (select * from responses where quiz_id = '${large}' order by created_at desc) to '/dev/null' csv`,
    ),
  )
  const megabytes = (value: number): string => `${(value / 1_048_576).toFixed(0)} MB`
  console.log(
    `CSV export: ${ms(exporting)} for ${megabytes(bytes)}, COPY ${ms(copying)}: ${ratio(exporting, copying)}; memory grew by ${megabytes(most - before)}`,
  )
  rmSync(file, { force: true })
} finally {
  await app.close()
  await opened.close()
  await slow.end()
  await stop()
  rmSync(folder, { recursive: true, force: true })
}
