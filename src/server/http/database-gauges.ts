import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Family } from './exposition.ts'

/** The connections of this process, and whether its LISTEN connection is up. */
export const databaseGauge =
  ({ pool, notices }: Pick<Database, 'pool' | 'notices'>) =>
  (): Family[] => {
    const isListening = notices.isListening()
    return [
      {
        name: 'database_connections',
        type: 'gauge',
        samples: [
          { labels: { state: 'open' }, value: pool.totalCount },
          { labels: { state: 'idle' }, value: pool.idleCount },
          { labels: { state: 'awaited' }, value: pool.waitingCount },
        ],
      },
      {
        name: 'database_notices_up',
        type: 'gauge',
        samples: isListening === undefined ? [] : [{ value: Number(isListening) }],
      },
    ]
  }

type Counted = { provider: string; status: string; count: string }

/** Deliveries by tool and status, and erasures that are not done, counted in the database, so the same from each process. */
export const outboxGauge =
  ({ db }: Pick<Database, 'db'>) =>
  async (): Promise<Family[]> => {
    const counted = await Promise.all([
      sql<Counted>`
        select provider, status, sum(count) as count from delivery_counts group by 1, 2 order by 1, 2
      `.execute(db),
      sql<Counted>`
        select provider, status, count(*) as count from erasures where status <> 'done'
        group by 1, 2 order by 1, 2
      `.execute(db),
    ]).catch(() => undefined)
    const isUp: Family = {
      name: 'database_up',
      type: 'gauge',
      samples: [{ value: Number(counted !== undefined) }],
    }
    if (!counted) return [isUp]
    const [deliveries, erasures] = counted
    return [
      isUp,
      { name: 'outbox_deliveries', type: 'gauge', samples: deliveries.rows.map(sampleOf) },
      { name: 'outbox_erasures', type: 'gauge', samples: erasures.rows.map(sampleOf) },
    ]
  }

const sampleOf = ({ count, ...labels }: Counted) => ({ labels, value: Number(count) })
