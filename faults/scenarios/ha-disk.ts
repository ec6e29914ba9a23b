import { rmSync } from 'node:fs'
import { runOnCluster } from '../ha/run-on-cluster.ts'
import type { Scenario } from '../runner/scenario.ts'
import { fillDisk } from '../runner/small-disk.ts'

/** Size of the disk of each database machine. */
const DISK_MB = 500

/** Scenario F36: the disk of the primary is full, while the replica has room. */
export const fullPrimaryDisk: Scenario[] = [
  {
    fault: 'F36',
    name: 'the disk of the primary is full; the replica takes over',
    engines: ['external'],
    rounds: { full: 3, short: 0 },
    run: (options) => {
      let ballast = ''
      return runOnCluster({
        cluster: { disk_mb: DISK_MB },
        inject: async ({ cluster, primary }) => {
          ballast = fillDisk(primary.folder)
          // The old primary answers reads until the other node has its role.
          await cluster.waitForTakeover(primary)
        },
        // Makes room and starts Patroni again, which `ops/ha/disk-watch.sh` has ended.
        repair: async ({ primary }) => {
          rmSync(ballast)
          await primary.start()
        },
      })(options)
    },
  },
]
