import { BOTH_ENGINES, type Scenario } from './scenario.ts'
import { backups } from './scenarios/backups.ts'
import { bodies } from './scenarios/bodies.ts'
import { clients } from './scenarios/clients.ts'
import { clock } from './scenarios/clock.ts'
import { disk } from './scenarios/disk.ts'
import { kills } from './scenarios/kills.ts'
import { migrations } from './scenarios/migrations.ts'
import { hung, network } from './scenarios/network.ts'
import { outboxKills } from './scenarios/outbox-kills.ts'
import { overload } from './scenarios/overload.ts'
import { races } from './scenarios/races.ts'
import { resources } from './scenarios/resources.ts'
import { several } from './scenarios/several.ts'
import { signals } from './scenarios/signals.ts'
import { soak } from './scenarios/soak.ts'
import { firstStart, twoProcesses } from './scenarios/two-processes.ts'
import { vendors } from './scenarios/vendors.ts'

/** Scenarios of the faults F1 to F30, which run by default. */
export const SCENARIOS: readonly Scenario[] = [
  ...kills,
  ...firstStart,
  ...network,
  ...disk,
  ...resources,
  ...clients,
  ...bodies,
  ...clock,
  ...races,
  ...migrations,
  ...twoProcesses,
  ...vendors,
  ...outboxKills,
  ...signals,
  ...hung,
  ...several,
].toSorted((one, other) => Number(one.fault.slice(1)) - Number(other.fault.slice(1)))

/** Overload, soak and backup tests, which run only by name. */
export const MEASURES: readonly Scenario[] = [
  ...backups,
  {
    fault: 'soak',
    name: 'mixed load for a long time (G22)',
    engines: BOTH_ENGINES,
    rounds: { whole: 1, short: 0 },
    run: soak,
  },
  {
    fault: 'overload',
    name: 'far more at once than there is room for (G23)',
    engines: BOTH_ENGINES,
    rounds: { whole: 1, short: 0 },
    run: overload,
  },
]
