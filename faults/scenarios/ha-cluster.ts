import { runOnCluster } from '../ha/run-on-cluster.ts'
import type { Scenario } from '../runner/scenario.ts'

const ROUNDS = { full: 3, short: 0 }

/** Scenarios F30 to F33: loss, isolation and planned change of a machine in the cluster of `ops/ha`. */
export const haClusterFaults: Scenario[] = [
  {
    fault: 'F30',
    name: 'the machine of the primary dies; the replica takes over',
    engines: ['external'],
    rounds: { full: 3, short: 1 },
    run: runOnCluster({
      inject: ({ primary }) => primary.kill(),
      repair: ({ primary }) => primary.start(),
    }),
  },
  {
    fault: 'F31',
    name: 'the primary is cut off from etcd and stays alive; never two servers accept writes',
    engines: ['external'],
    rounds: ROUNDS,
    run: runOnCluster({
      inject: async ({ cluster, primary }) => {
        primary.relay.set('silent')
        // The load continues on the old primary until another one has its role.
        await cluster.waitForTakeover(primary)
      },
      repair: async ({ primary }) => primary.relay.set('pass'),
    }),
  },
  {
    fault: 'F32',
    name: 'the machine of the replica dies and returns',
    engines: ['external'],
    rounds: ROUNDS,
    run: runOnCluster({
      inject: ({ replica }) => replica.kill(),
      repair: ({ replica }) => replica.start(),
    }),
  },
  {
    fault: 'F33',
    name: 'an operator hands the role of the primary to the replica',
    engines: ['external'],
    rounds: ROUNDS,
    run: runOnCluster({ inject: ({ cluster }) => cluster.switchOver() }),
  },
]
