import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { Database } from '#server/db/database.ts'
import { mount } from '#server/http/edge/mount.ts'
import type { VersionReader } from '#server/published-versions/published-versions.ts'
import type { Reports } from '#server/reports/create-reports.ts'
import type { MetricSource } from '#server/runtime/metric-source.ts'
import { createResponseEvents, type ResponseEvents } from './response-events.ts'
import { responsesHandlers } from './responses.routes.ts'
import { createSubmissionQueue, type Submissions } from './submission-queue.ts'
import { createTrialLinks, createTrialRuns, type TrialRuns } from './trial-links.ts'
import { createVisits, type Visits } from './visits.ts'

type Dependencies = {
  database: Database
  secretKey: string | Uint8Array
  log: FastifyBaseLogger
  versionReader: VersionReader
  /** Counts a result mail for its network; false refuses the mail. */
  admitMail: (network: string) => Promise<boolean>
  addMetrics: (metrics: readonly MetricSource[]) => void
  reports: Reports
}

/** The stores of what visitors send, which the public pages use too. */
export type Responses = {
  submissions: Submissions
  visits: Visits
  trials: TrialRuns
  events: ResponseEvents
}

/** Mounts contract/public-quiz.ts and creates the queues that store submissions and visits until the server closes. */
export const registerResponses = (
  app: FastifyInstance,
  { database, secretKey, log, versionReader, admitMail, addMetrics, reports }: Dependencies,
): Responses => {
  const { db, pool } = database
  const events = createResponseEvents(database, log)
  const submissions = createSubmissionQueue(pool, events.announce)
  addMetrics([
    {
      name: 'responses_stored_total',
      type: 'counter',
      help: 'Responses that this process stored',
      read: () => [{ value: submissions.countStored() }],
    },
  ])
  const visits = createVisits(pool, log)
  app.addHook('onClose', async () => {
    await Promise.all([submissions.close(), visits.close()])
  })
  mount(
    app,
    api.publicQuiz,
    responsesHandlers({ db, versionReader, submissions, admitMail, links: reports.links }),
  )
  return { submissions, visits, events, trials: createTrialRuns(db, createTrialLinks(secretKey)) }
}
