import { Piscina } from 'piscina'

/** Settings of threads. */
export type ThreadSettings = {
  /** Module whose default export a thread calls for each task. The module sets the priority from `workerData`. */
  program: URL
  max_threads: number
  /** Priority of the threads; 0 is that of the event loop, and 19 the lowest. */
  nice_value: number
  /** Time after which an idle thread ends and frees its memory. */
  idle_ms: number
  /** Heap of a thread; without it, V8 chooses. */
  max_heap_mb?: number
}

/** Heap for new objects of a thread. V8 would let this part grow to 100 MB and never shrink it. */
const YOUNG_HEAP_MB = 16

/**
 * Opens a pool of threads, which start when they are needed. An aborted task ends its thread. Only idle threads let
 * the process end.
 */
export const openThreads = ({
  program,
  max_threads,
  nice_value,
  idle_ms,
  max_heap_mb,
}: ThreadSettings): Piscina => {
  const pool = new Piscina({
    filename: program.href,
    minThreads: 0,
    maxThreads: max_threads,
    idleTimeout: idle_ms,
    execArgv: [],
    workerData: { nice_value },
    ...(max_heap_mb && {
      resourceLimits: {
        maxOldGenerationSizeMb: max_heap_mb,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
      },
    }),
  })
  // A task waits for ever if its thread cannot start, unless the pool refuses all its tasks.
  pool.on('error', () => void pool.destroy())
  return pool
}
