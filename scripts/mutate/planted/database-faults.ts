import type { PlantedFault } from './planted-fault.ts'

/** Faults of backup, replica and maintenance. */
export const DATABASE_FAULTS: PlantedFault[] = [
  {
    name: 'a restore refuses an empty database with the schema of the backup',
    file: 'src/server/backup/restore.ts',
    from: 'applied.length > header.migrations.length',
    to: 'applied.length >= header.migrations.length',
    test: 'src/server/backup/refusals.test.ts',
  },
  {
    name: 'a replica of an old timeline answers',
    file: 'src/server/db/read-replica.ts',
    from: "    if (!state.is_same_timeline) throw new UnusableReplica('other_timeline')\n",
    to: '',
    test: 'src/server/db/heavy-reads.test.ts',
  },
  {
    name: 'changes during a lost connection stay unknown',
    file: 'src/server/db/notifications.ts',
    from: 'for (const { onGap, first } of subscriptionsOf(channel)) {\n      onGap()\n      first.resolve()\n    }',
    to: 'for (const { first } of subscriptionsOf(channel)) first.resolve()',
  },
  {
    name: 'old participants are removed at 3:00 UTC instead of the time of the creator',
    file: 'src/server/statistics/participants/retention.store.ts',
    from: "interval '2 days 3 hours') at time zone aged.time_zone",
    to: "interval '2 days 3 hours') at time zone 'UTC'",
  },
]
