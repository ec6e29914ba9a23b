import { backups } from './backups.ts'
import { bodies } from './bodies.ts'
import { clients } from './clients.ts'
import { clock } from './clock.ts'
import { disk } from './disk.ts'
import { firstStart } from './first-start.ts'
import { hung } from './hung.ts'
import { kills } from './kills.ts'
import { migrations } from './migrations.ts'
import { network } from './network.ts'
import { outboxKills } from './outbox-kills.ts'
import { overload } from './overload.ts'
import { races } from './races.ts'
import { resources } from './resources.ts'
import { BOTH, type Scenario } from './scenario.ts'
import { several } from './several.ts'
import { signals } from './signals.ts'
import { soak } from './soak.ts'
import { twoProcesses } from './two-processes.ts'
import { vendors } from './vendors.ts'

/** Every fault of the plan, F1 to F30, and what makes it happen. */
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

/** What is no fault but far too much, very long, or a copy; only when asked for by name. */
export const MEASURES: readonly Scenario[] = [
  ...backups,
  {
    fault: 'soak',
    name: 'mixed load for a long time (G22)',
    engines: BOTH,
    rounds: { whole: 1, short: 0 },
    run: soak,
  },
  {
    fault: 'overload',
    name: 'far more at once than there is room for (G23)',
    engines: BOTH,
    rounds: { whole: 1, short: 0 },
    run: overload,
  },
]
