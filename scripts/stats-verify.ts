/** Recounts all participants and prints each counter that differs. Exits with code 1 if a counter differs. */
import { readConfig } from '#server/config/config.ts'
import { connectForCommand } from '#server/db/embedded/postgres-access.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'

const client = await connectForCommand(readConfig(process.env))
if (!client) {
  console.error('No server runs on this DATA_DIR: run npm start first, or set DATABASE_URL.')
  process.exit(1)
}
const differences = await findDifferences(client)
await client.end()
for (const { quiz_id, figure, key, stored, recounted } of differences)
  console.error(`${quiz_id} ${figure} ${key}: ${stored} stored, ${recounted} recounted`)
console.log(
  differences.length === 0
    ? 'All counters equal a recount.'
    : `Counters that differ from a recount: ${differences.length}.`,
)
process.exit(differences.length === 0 ? 0 : 1)
