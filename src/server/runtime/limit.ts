type Options = {
  /** Tasks that run at the same time. */
  at_once: number
  /** Tasks that may wait for their turn. */
  most_waiting: number
  /** What a task beyond both is refused with. */
  refusal: () => Error
}

/** Runs a task in its turn, and gives what it gives. */
export type Limit = <T>(task: () => Promise<T>) => Promise<T>

/** A concurrency limiter: first come, first served, with a bounded queue. */
export const createLimit = ({ at_once, most_waiting, refusal }: Options): Limit => {
  const queue: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running < at_once) running++
    else {
      if (queue.length >= most_waiting) throw refusal()
      await new Promise<void>((resolve) => queue.push(resolve))
    }
    try {
      return await task()
    } finally {
      // The place is handed on rather than given back, so that no new task comes in between.
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
