/** Queue that computes one task at a time and keeps only the latest waiting task. */
export type LatestTaskQueue<Task> = { add: (task: Task) => void; close: () => void }

/**
 * Creates a queue that computes one task at a time. A new task replaces the waiting task, and the report of a task is
 * dropped if a newer task waits. After `close`, the queue reports nothing.
 */
export const createLatestTaskQueue = <Task, Report>(
  compute: (task: Task) => Promise<Report>,
  {
    onReport,
    onFailure,
  }: { onReport: (task: Task, report: Report) => void; onFailure: (error: unknown) => void },
): LatestTaskQueue<Task> => {
  let waiting: { task: Task } | null = null
  let isRunning = false
  let isClosed = false

  const run = async (task: Task): Promise<void> => {
    let notify: () => void
    try {
      const report = await compute(task)
      notify = () => onReport(task, report)
    } catch (error) {
      notify = () => onFailure(error)
    }
    if (isClosed) return
    const next = waiting
    waiting = null
    if (next) return run(next.task)
    isRunning = false
    notify()
  }

  return {
    add: (task) => {
      if (isClosed) return
      if (isRunning) waiting = { task }
      else {
        isRunning = true
        void run(task)
      }
    },
    close: () => {
      isClosed = true
      waiting = null
    },
  }
}
