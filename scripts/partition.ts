/** Partitions the tables that grow with participants, while the server runs (docs/scale.md). */
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config/config.ts'
import { connectForCommand } from '#server/db/embedded/postgres-access.ts'
import { GROWING_TABLES, partitionTable } from '#server/db/partition.ts'
import { fail } from './fail.ts'

const MAX_PARTITIONS = 1_000

const partition = async (partitions: number): Promise<void> => {
  if (!Number.isInteger(partitions) || partitions < 1 || partitions > MAX_PARTITIONS)
    throw new Error(
      `Say over how many, from 1 to ${MAX_PARTITIONS}: npm run partition -- --partitions 32`,
    )
  const client = await connectForCommand(readConfig(process.env))
  if (!client)
    throw new Error('No server runs on this DATA_DIR: run npm start first, or set DATABASE_URL.')
  try {
    for (const table of GROWING_TABLES) {
      const started = performance.now()
      const rows = await partitionTable(client, table, partitions)
      const seconds = Math.round((performance.now() - started) / 1_000)
      console.log(
        rows === null
          ? `${table} is in partitions already.`
          : `${table}: ${rows} rows in ${partitions} partitions, in ${seconds} s.`,
      )
    }
  } finally {
    await client.end()
  }
}

const { values } = parseArgs({ options: { partitions: { type: 'string', default: '32' } } })
await partition(Number(values.partitions)).catch(fail)
