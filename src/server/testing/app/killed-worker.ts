import type { OutboxApp } from './outbox-app.ts'

const FUNCTION = `
  create or replace function refuse_settlement() returns trigger language plpgsql as
  $$ begin raise exception 'the process was killed'; end $$`
const TRIGGER = `
  create trigger refuse_settlement before update on deliveries for each row
  when (old.lease_id is not null and new.lease_id is null) execute function refuse_settlement()`

/** Time in milliseconds after which other workers claim the deliveries of a killed worker. */
export const KILLED_LEASE_MS = 61_000

/**
 * Sends all due deliveries with a separate worker whose outcomes are not committed. Its leases remain, as if its
 * process were killed after the answers of the tools.
 */
export const sendAndKillWorker = async ({
  pool,
  startWorker,
}: Pick<OutboxApp, 'pool' | 'startWorker'>): Promise<void> => {
  await pool.query(FUNCTION)
  await pool.query(TRIGGER)
  const worker = startWorker()
  await worker.drain()
  await worker.close()
  await pool.query('drop trigger refuse_settlement on deliveries')
}
