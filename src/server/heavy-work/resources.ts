import { availableParallelism } from 'node:os'

/**
 * Maximum numbers of running and queued jobs of a group: in total, of one owner, and of one network of visitors. Jobs of
 * creators count for no network.
 */
type GroupLimits = {
  max_concurrent_per_owner: number
  max_concurrent_per_network: number
  max_queued: number
  max_queued_per_owner: number
  max_queued_per_network: number
}

/** Groups of jobs whose owners take turns independently of the other groups. */
export const GROUPS = {
  /** Work that visitors wait for on a page that is not cached. Creators' work never takes these slots. */
  visit: {
    max_concurrent_per_owner: 2,
    max_concurrent_per_network: 2,
    max_queued: 200,
    max_queued_per_owner: 50,
    max_queued_per_network: 50,
  },
  /** Work whose caller waits for the result. */
  work: {
    max_concurrent_per_owner: 2,
    max_concurrent_per_network: 1,
    max_queued: 300,
    max_queued_per_owner: 40,
    max_queued_per_network: 20,
  },
  /**
   * Files that are sent while they are made. A slow reader holds a slot for hours, so that further downloads of the owner are
   * refused instead of queued.
   */
  download: {
    max_concurrent_per_owner: 2,
    max_concurrent_per_network: 1,
    max_queued: 0,
    max_queued_per_owner: 0,
    max_queued_per_network: 0,
  },
  /** Documents that are being sent, from their turn until their last byte. Slow readers take no threads and no slots of `work`. */
  sending: {
    max_concurrent_per_owner: 2,
    max_concurrent_per_network: 1,
    max_queued: 300,
    max_queued_per_owner: 40,
    max_queued_per_network: 20,
  },
  /** Long statements of the database. */
  background: {
    max_concurrent_per_owner: 2,
    max_concurrent_per_network: 1,
    max_queued: 60,
    max_queued_per_owner: 20,
    max_queued_per_network: 20,
  },
} as const satisfies Record<string, GroupLimits>

/** Name of a group. */
export type Group = keyof typeof GROUPS

/** Number of threads that compute for creators and for the documents of visitors. */
const NB_THREADS = Math.max(2, availableParallelism())

/** Resources of the machine that jobs use, with the maximum number of running jobs: in total and of one owner. */
export const RESOURCES = {
  /** Threads that are reserved for visitors. */
  page: { group: 'visit', max_concurrent: 2, max_concurrent_per_owner: 2 },
  /** One owner never takes all threads, so that the document of another owner starts at once. */
  thread: {
    group: 'work',
    max_concurrent: NB_THREADS,
    max_concurrent_per_owner: Math.min(2, NB_THREADS - 1),
  },
  /** Statements on the connections for heavy reads. */
  statement: { group: 'work', max_concurrent: 3, max_concurrent_per_owner: 2 },
  /** Computations on the event loop that let other calls run in between. */
  event_loop: { group: 'work', max_concurrent: 2, max_concurrent_per_owner: 1 },
  /** Files of creators, which take several times their size in memory. */
  file: { group: 'work', max_concurrent: 2, max_concurrent_per_owner: 1 },
  /** Decoder process, because the largest pictures need a gigabyte. */
  decoder: { group: 'work', max_concurrent: 1, max_concurrent_per_owner: 1 },
  mail: { group: 'work', max_concurrent: 2, max_concurrent_per_owner: 1 },
  download: { group: 'download', max_concurrent: 100, max_concurrent_per_owner: 2 },
  sending: { group: 'sending', max_concurrent: 100, max_concurrent_per_owner: 2 },
  count: { group: 'background', max_concurrent: 1, max_concurrent_per_owner: 1 },
  removal: { group: 'background', max_concurrent: 2, max_concurrent_per_owner: 1 },
  evidence: { group: 'background', max_concurrent: 2, max_concurrent_per_owner: 1 },
} as const satisfies Record<
  string,
  { group: Group; max_concurrent: number; max_concurrent_per_owner: number }
>

/** Name of a resource. */
export type Resource = keyof typeof RESOURCES
