type ConcurrencyOptions = {
  /** Maximum numbers of tasks that run at once: in total, of one key, and of one asker over all keys. */
  max_concurrent: number
  max_concurrent_per_key?: number
  max_concurrent_per_asker?: number
  /** Maximum numbers of waiting tasks: in total, of one key, and of one asker over all keys. */
  max_queued: number
  max_queued_per_key?: number
  max_queued_per_asker?: number
  /** Creates the error of a task that is refused while `nb_waiting` tasks of its key wait. */
  refusal: (nb_waiting: number) => Error
}

/** Key (account or network) that a task is counted for, and a signal that aborts it. */
export type Turn = {
  key: string
  /** Stranger who asked for the task of the key's account; absent if the account itself asked. */
  asker?: string | undefined
  signal?: AbortSignal | undefined
  /** True for a part of work that was admitted before, which waits however long the queue is. */
  is_admitted?: boolean
}

/**
 * Runs a task in its turn and returns its result. Throws the limit's refusal if the queue is full, and the signal's
 * reason if the task is aborted before it starts. A task that has started must observe the signal itself.
 */
export type Limit = <T>(turn: Turn, task: () => Promise<T>) => Promise<T>

/** Runs the tasks of one caller in its turn. */
export type TaskRunner = <T>(task: () => Promise<T>) => Promise<T>

type WaitingTask = {
  asker: string | undefined
  is_admitted: boolean
  start: () => void
  refuse: (error: unknown) => void
}

/** Waiting tasks of one key, oldest first; never empty. */
type Queue = {
  tasks: WaitingTask[]
  /** Strangers with waiting tasks, the next one first. */
  strangers: string[]
  /** True if the account itself comes before the strangers. */
  is_account_next: boolean
}

/** Returns the first result of `find` that is not undefined. */
const findFirst = <Item, Found>(
  items: Iterable<Item>,
  find: (item: Item) => Found | undefined,
): Found | undefined => {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** Creates sums by key, and their total. Keys whose sum is 0 take no memory; an undefined key has no sum. */
export const createTally = () => {
  const sums = new Map<string, number>()
  let total = 0
  return {
    /** Returns the total of all keys. */
    total: (): number => total,
    /** Returns the sum of a key; 0 for an unknown or undefined key. */
    of: (key: string | undefined): number => (key === undefined ? 0 : (sums.get(key) ?? 0)),
    /** Adds `change` to the sum of a key. Does nothing for an undefined key. */
    add: (key: string | undefined, change: number): void => {
      if (key === undefined) return
      total += change
      const sum = (sums.get(key) ?? 0) + change
      if (sum > 0) sums.set(key, sum)
      else sums.delete(key)
    },
  }
}

/**
 * Creates a fair concurrency limiter: keys take turns, and tasks of one key and asker run in order. The tasks of a key
 * that strangers ask for take turns, and alternate with those of the key's own account. In a full queue, the key with
 * the most waiting tasks loses its last task to a key with at least two fewer.
 */
export const createConcurrencyLimit = ({
  max_concurrent,
  max_concurrent_per_key = max_concurrent,
  max_concurrent_per_asker = max_concurrent,
  max_queued,
  max_queued_per_key = max_queued,
  max_queued_per_asker = max_queued,
  refusal,
}: ConcurrencyOptions): Limit => {
  const running_keys = createTally()
  const running_askers = createTally()
  const waiting_askers = createTally()
  /** Queues by key, the next key first. */
  const queues = new Map<string, Queue>()
  let nb_running = 0
  let nb_waiting = 0

  const canRun = (key: string, asker: string | undefined): boolean =>
    nb_running < max_concurrent &&
    running_keys.of(key) < max_concurrent_per_key &&
    running_askers.of(asker) < max_concurrent_per_asker

  const occupy = (key: string, asker: string | undefined): void => {
    nb_running++
    running_keys.add(key, 1)
    running_askers.add(asker, 1)
  }

  const remove = (key: string, waiting: WaitingTask): void => {
    const queue = queues.get(key)
    const index = queue?.tasks.indexOf(waiting) ?? -1
    if (!queue || index < 0) return
    const { asker } = waiting
    queue.tasks.splice(index, 1)
    nb_waiting--
    waiting_askers.add(asker, -1)
    if (!queue.tasks.some((task) => task.asker === asker))
      queue.strangers = queue.strangers.filter((name) => name !== asker)
    if (queue.tasks.length === 0) queues.delete(key)
  }

  /** Returns the next task of a key that can run; undefined if none can. */
  const findNext = (key: string, queue: Queue): WaitingTask | undefined => {
    const runnable = (asker: string | undefined): WaitingTask | undefined =>
      canRun(key, asker) ? queue.tasks.find((task) => task.asker === asker) : undefined
    const own = runnable(undefined)
    if (own && queue.is_account_next) return own
    const stranger = queue.strangers.find((name) => canRun(key, name))
    return stranger === undefined ? own : runnable(stranger)
  }

  /** Starts waiting tasks while there are free places. Key and asker of each task move to the end of their rounds. */
  const startNext = (): void => {
    for (;;) {
      const next = findFirst(queues, ([key, queue]) => {
        const task = findNext(key, queue)
        return task && { key, queue, task }
      })
      if (!next) return
      const { key, queue, task } = next
      const { asker } = task
      queue.is_account_next = asker !== undefined
      if (asker !== undefined)
        queue.strangers = [...queue.strangers.filter((name) => name !== asker), asker]
      remove(key, task)
      if (queues.delete(key)) queues.set(key, queue)
      occupy(key, asker)
      task.start()
    }
  }

  const release = (key: string, asker: string | undefined): void => {
    nb_running--
    running_keys.add(key, -1)
    running_askers.add(asker, -1)
    startNext()
  }

  /** Makes room in the queue for a task. Returns false if there is none. */
  const makeRoom = (key: string, asker: string | undefined): boolean => {
    const own = queues.get(key)?.tasks.length ?? 0
    if (own >= max_queued_per_key || waiting_askers.of(asker) >= max_queued_per_asker) return false
    if (nb_waiting < max_queued) return true
    const [longest] = [...queues].toSorted(
      ([, left], [, right]) => right.tasks.length - left.tasks.length,
    )
    if (!longest) return false
    const [longest_key, { tasks }] = longest
    const last = tasks.findLast(({ is_admitted }) => !is_admitted)
    if (!last || tasks.length < own + 2) return false
    remove(longest_key, last)
    last.refuse(refusal(tasks.length))
    return true
  }

  const waitForTurn = ({ key, asker, signal, is_admitted = false }: Turn): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onAbort = (): void => {
      remove(key, waiting)
      reject(signal?.reason)
    }
    const removeAbortListener = (): void => signal?.removeEventListener('abort', onAbort)
    const waiting: WaitingTask = {
      asker,
      is_admitted,
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
    const queue = queues.get(key) ?? { tasks: [], strangers: [], is_account_next: true }
    queue.tasks.push(waiting)
    queues.set(key, queue)
    if (asker !== undefined && !queue.strangers.includes(asker)) queue.strangers.push(asker)
    nb_waiting++
    waiting_askers.add(asker, 1)
    return promise
  }

  return async (turn, task) => {
    const { key, asker, signal, is_admitted = false } = turn
    signal?.throwIfAborted()
    if (canRun(key, asker)) occupy(key, asker)
    else {
      if (!is_admitted && !makeRoom(key, asker)) throw refusal(queues.get(key)?.tasks.length ?? 0)
      await waitForTurn(turn)
    }
    try {
      return await task()
    } finally {
      release(key, asker)
    }
  }
}
