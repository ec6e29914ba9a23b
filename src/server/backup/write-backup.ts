import { createHash } from 'node:crypto'
import type pg from 'pg'
import {
  checkHistory,
  isRestoreUnfinished,
  listApplied,
  readMigrations,
  UnfinishedRestore,
} from '#server/db/migrate.ts'
import {
  copyOut,
  createRowDigest,
  FORMAT,
  type Header,
  type Totals,
  VERSION,
} from './backup-format.ts'
import {
  listTables,
  quoteIdentifier,
  readSequences,
  SESSION_SETTINGS,
  type Table,
} from './catalogue.store.ts'

type Options = {
  secret_key_id: string | null
  migrations?: ReturnType<typeof readMigrations>
  /** Called after the last line. */
  onEnd?: (totals: Totals & { others: string[] }) => void
}

/**
 * Yields a backup in the format of docs/backup.md. All rows are read in one transaction, so that the backup is a
 * consistent snapshot. The transaction blocks only migrations.
 */
export async function* writeBackup(
  client: pg.Client,
  { secret_key_id, migrations = readMigrations(), onEnd }: Options,
): AsyncGenerator<Buffer> {
  const sha256 = createHash('sha256')
  const addToChecksum = (bytes: Buffer): Buffer => {
    sha256.update(bytes)
    return bytes
  }
  const line = (value: object): Buffer => addToChecksum(Buffer.from(`${JSON.stringify(value)}\n`))

  if (await isRestoreUnfinished(client)) throw new UnfinishedRestore()
  await client.query(SESSION_SETTINGS)
  const { applied, tables, others } = await beginSnapshot(client, migrations)
  const sequences = await readSequences(client)
  const header: Header = {
    format: FORMAT,
    version: VERSION,
    created_at: new Date().toISOString(),
    secret_key_id,
    migrations: applied,
    sequences,
  }
  yield line(header)
  let rows = 0
  for (const { table, columns } of tables) {
    yield line({ table, columns })
    const digest = createRowDigest()
    for await (const block of copyOut(client, copyStatement({ table, columns }))) {
      digest.add(block)
      yield line({ bytes: block.length })
      yield addToChecksum(block)
    }
    const end = digest.end()
    rows += end.rows
    yield line(end)
  }
  await client.query('commit')
  const totals = { tables: tables.length, rows }
  yield line({ ...totals, sha256: sha256.copy().digest('hex') })
  onEnd?.({ ...totals, others })
}

/** Returns the COPY statement of a table. A query is used, because `COPY table` cannot read partitioned tables. */
export const copyStatement = ({ table, columns }: Table): string =>
  `copy (select ${columns.map(quoteIdentifier).join(', ')} from ${quoteIdentifier(table)}) to stdout`

type FrozenSchema = Awaited<ReturnType<typeof listTables>> & {
  applied: { name: string; checksum: string }[]
}

/**
 * Begins the snapshot transaction and locks all tables against migrations. Repeats this if a migration was committed
 * meanwhile, because the snapshot could see its rewritten tables as empty.
 */
const beginSnapshot = async (
  client: pg.Client,
  migrations: ReturnType<typeof readMigrations>,
): Promise<FrozenSchema> => {
  for (;;) {
    const before = await listTables(client, migrations)
    await client.query('begin isolation level repeatable read, read only')
    const names = before.tables.map(({ table }) => quoteIdentifier(table))
    if (names.length > 0) await client.query(`lock table ${names} in access share mode`)
    const now = await listTables(client, migrations)
    if (JSON.stringify(now) === JSON.stringify(before)) {
      const applied = await listApplied(client)
      checkHistory(applied, migrations)
      return { ...now, applied }
    }
    await client.query('rollback')
  }
}
