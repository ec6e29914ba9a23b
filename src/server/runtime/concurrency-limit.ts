type ConcurrencyOptions = {
  /** Maximum numbers of tasks that run at once, in total and of one key. */
  at_once: number
  at_once_per_key?: number
  /** Maximum numbers of waiting tasks, in total and of one key. */
  most_waiting: number
  most_waiting_per_key?: number
  /** Creates the error of a task that is refused. */
  refusal: () => Error
}

/** Key (account or network) that a task is counted for, and a signal that aborts it. */
export type Turn = { key: string; signal?: AbortSignal | undefined }

/**
 * Runs a task in its turn and returns its result. Throws the limit's refusal if the queue is full, and the signal's
 * reason if the task is aborted before it starts. A task that has started must observe the signal itself.
 */
export type Limit = <T>(turn: Turn, task: () => Promise<T>) => Promise<T>

/** Runs the tasks of one caller in its turn. */
export type TaskRunner = <T>(task: () => Promise<T>) => Promise<T>

type WaitingTask = { start: () => void; refuse: (error: unknown) => void }

/**
 * Creates a fair concurrency limiter: keys take turns, and tasks of one key run in order. In a full queue, the key
 * with the most waiting tasks loses its last task to a key with at least two fewer.
 */
export const createConcurrencyLimit = ({
  at_once,
  at_once_per_key = at_once,
  most_waiting,
  most_waiting_per_key = most_waiting,
  refusal,
}: ConcurrencyOptions): Limit => {
  const nb_running_of = new Map<string, number>()
  /** Waiting tasks by key, the next key first; no queue is empty. */
  const queues = new Map<string, WaitingTask[]>()
  let nb_running = 0
  let nb_waiting = 0

  const canRun = (key: string): boolean =>
    nb_running < at_once && (nb_running_of.get(key) ?? 0) < at_once_per_key

  const occupy = (key: string): void => {
    nb_running++
    nb_running_of.set(key, (nb_running_of.get(key) ?? 0) + 1)
  }

  const remove = (key: string, waiting: WaitingTask): void => {
    const queue = queues.get(key)
    const index = queue?.indexOf(waiting) ?? -1
    if (!queue || index < 0) return
    queue.splice(index, 1)
    nb_waiting--
    if (queue.length === 0) queues.delete(key)
  }

  /** Starts waiting tasks while there are free places. The key of each task moves to the end of the round. */
  const startNext = (): void => {
    for (;;) {
      const key = [...queues.keys()].find(canRun)
      if (key === undefined) return
      const queue = queues.get(key) ?? []
      const [next] = queue
      if (!next) return
      remove(key, next)
      if (queues.delete(key)) queues.set(key, queue)
      occupy(key)
      next.start()
    }
  }

  const release = (key: string): void => {
    nb_running--
    const left = (nb_running_of.get(key) ?? 1) - 1
    if (left > 0) nb_running_of.set(key, left)
    else nb_running_of.delete(key)
    startNext()
  }

  /** Makes room in the queue for a task of `key`. Returns false if there is none. */
  const makeRoom = (key: string): boolean => {
    const own = queues.get(key)?.length ?? 0
    if (own >= most_waiting_per_key) return false
    if (nb_waiting < most_waiting) return true
    const largest = [...queues].toSorted(([, left], [, right]) => right.length - left.length)[0]
    const last = largest?.[1].at(-1)
    if (!largest || !last || largest[1].length < own + 2) return false
    remove(largest[0], last)
    last.refuse(refusal())
    return true
  }

  const waitForTurn = (key: string, signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onAbort = (): void => {
      remove(key, waiting)
      reject(signal?.reason)
    }
    const removeAbortListener = (): void => signal?.removeEventListener('abort', onAbort)
    const waiting: WaitingTask = {
      start: () => {
        removeAbortListener()
        resolve()
      },
      refuse: (error) => {
        removeAbortListener()
        reject(error)
      },
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    const queue = queues.get(key) ?? []
    queue.push(waiting)
    queues.set(key, queue)
    nb_waiting++
    return promise
  }

  return async ({ key, signal }, task) => {
    signal?.throwIfAborted()
    if (canRun(key)) occupy(key)
    else {
      if (!makeRoom(key)) throw refusal()
      await waitForTurn(key, signal)
    }
    try {
      return await task()
    } finally {
      release(key)
    }
  }
}
