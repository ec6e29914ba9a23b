import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createHeavyWork } from '#server/heavy-work/heavy-work.ts'
import type { Job, JobKind } from '#server/heavy-work/job-limits.ts'

/** Returns a job of this kind and owner. */
export const jobOf = (kind: JobKind, owner: string, more: Partial<Job> = {}): Job => ({
  kind,
  owner,
  size: 1,
  ...more,
})

/** Runs jobs that end on command and records those that run. */
export const createOpenJobs = (heavy = createHeavyWork()) => {
  const running: { job: Job; end: () => void }[] = []
  const order: string[] = []
  const add = (job: Job): Promise<string> =>
    heavy.run(job, async () => {
      const open = Promise.withResolvers<void>()
      const entry = { job, end: open.resolve }
      running.push(entry)
      order.push(job.network ?? job.owner)
      await open.promise
      running.splice(running.indexOf(entry), 1)
      return job.owner
    })
  const nbOf = (owner: string) => running.filter(({ job }) => job.owner === owner).length
  return { heavy, running, order, add, nbOf }
}

/** Creates a response whose client reads until the event `close`. */
export const createOpenResponse = (): ServerResponse => {
  const response = new EventEmitter() as ServerResponse
  response.destroy = () => response
  return response
}
