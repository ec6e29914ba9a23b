/** Queue that computes one task at a time. */
export type Queue<Task> = { ask: (task: Task) => void; end: () => void }

/**
 * Creates a queue that computes one task at a time. A new task replaces the waiting one, and the report of an
 * outdated task is dropped. Nothing is reported after `end`.
 */
export const createQueue = <Task, Report>(
  compute: (task: Task) => Promise<Report>,
  {
    onReport,
    onFailure,
  }: { onReport: (task: Task, report: Report) => void; onFailure: (error: unknown) => void },
): Queue<Task> => {
  let waiting: { task: Task } | null = null
  let isWorking = false
  let isEnded = false

  const work = async (task: Task): Promise<void> => {
    let tell: () => void
    try {
      const report = await compute(task)
      tell = () => onReport(task, report)
    } catch (error) {
      tell = () => onFailure(error)
    }
    if (isEnded) return
    const next = waiting
    waiting = null
    if (next) return work(next.task)
    isWorking = false
    tell()
  }

  return {
    ask: (task) => {
      if (isEnded) return
      if (isWorking) waiting = { task }
      else {
        isWorking = true
        void work(task)
      }
    },
    end: () => {
      isEnded = true
      waiting = null
    },
  }
}
