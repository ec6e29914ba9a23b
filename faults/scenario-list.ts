import { BOTH_ENGINES, type Scenario } from './runner/scenario.ts'
import { backups } from './scenarios/backups.ts'
import { behindNginx } from './scenarios/behind-nginx.ts'
import { concurrentWrites } from './scenarios/concurrent-writes.ts'
import { databaseNetworkFaults } from './scenarios/database-network.ts'
import { failingIntegrations } from './scenarios/failing-integrations.ts'
import { fullDisks } from './scenarios/full-disk.ts'
import { jumpingClocks } from './scenarios/ha-clock.ts'
import { haClusterFaults } from './scenarios/ha-cluster.ts'
import { fullPrimaryDisk } from './scenarios/ha-disk.ts'
import { poolerFaults } from './scenarios/ha-pooler.ts'
import { laggingReplica } from './scenarios/ha-replica.ts'
import { killedDeliveries } from './scenarios/killed-deliveries.ts'
import { killedMigrations } from './scenarios/killed-migrations.ts'
import { malformedBodies } from './scenarios/malformed-bodies.ts'
import { overload } from './scenarios/overload.ts'
import { processFaults } from './scenarios/process-faults.ts'
import { restoredArchives } from './scenarios/restored-archive.ts'
import { scarceResources } from './scenarios/scarce-resources.ts'
import { soak } from './scenarios/soak.ts'
import { stalledClients } from './scenarios/stalled-clients.ts'
import { stopSignals } from './scenarios/stop-signals.ts'
import { twoProcesses } from './scenarios/two-processes.ts'
import { wrongClocks } from './scenarios/wrong-clock.ts'

/** Scenarios of the faults F1 to F39 and G5, which run by default, by number. */
export const DEFAULT_SCENARIOS: readonly Scenario[] = [
  ...processFaults,
  ...databaseNetworkFaults,
  ...fullDisks,
  ...scarceResources,
  ...stalledClients,
  ...malformedBodies,
  ...wrongClocks,
  ...concurrentWrites,
  ...killedMigrations,
  ...twoProcesses,
  ...failingIntegrations,
  ...killedDeliveries,
  ...stopSignals,
  ...behindNginx,
  ...haClusterFaults,
  ...fullPrimaryDisk,
  ...jumpingClocks,
  ...laggingReplica,
  ...poolerFaults,
].toSorted((first, other) => Number(first.fault.slice(1)) - Number(other.fault.slice(1)))

/** Scenarios that run only if they are named: backups (G10, G11), soak and overload. */
export const ON_DEMAND_SCENARIOS: readonly Scenario[] = [
  ...backups,
  ...restoredArchives,
  {
    fault: 'soak',
    name: 'clients use the product for a long time; memory, file descriptors, disk use and latency are measured',
    engines: BOTH_ENGINES,
    rounds: { full: 1, short: 0 },
    run: soak,
  },
  {
    fault: 'overload',
    name: '4,000 connections send more than the product can serve; throughput must stay above 70 % of the capacity',
    engines: BOTH_ENGINES,
    rounds: { full: 1, short: 0 },
    run: overload,
  },
]
