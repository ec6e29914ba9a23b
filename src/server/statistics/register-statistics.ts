import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { Database } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { mount } from '#server/http/edge/mount.ts'
import type { PageUrl } from '#server/reports/report-links.ts'
import type { ResponseEvents } from '#server/responses/response-events.ts'
import type { Vault } from '#server/runtime/sealing.ts'
import { mountAnalyses } from './analyses/analyses.routes.ts'
import { dryRunsHandlers } from './dry-runs/dry-runs.routes.ts'
import { createBackgroundCounts } from './figures/background-counts.ts'
import { createViewCounter } from './figures/read-figures.ts'
import { createViewReader, type ReadView } from './figures/read-view.ts'
import { serveLive } from './live/live.routes.ts'
import { participantsHandlers } from './participants/participants.routes.ts'
import { retentionHandlers, scheduleRetention } from './participants/retention.ts'
import { scheduleRareAnswers } from './selection/rare-answers.store.ts'
import { statisticsHandlers } from './statistics.routes.ts'
import { sharedStatisticsHandlers, statisticsLinksHandlers } from './statistics-links.routes.ts'

type Dependencies = {
  database: Database
  heavyWork: HeavyWork
  secretKey: string | Uint8Array
  log: FastifyBaseLogger
  /** Seals the addresses of people whom tools are asked to erase. */
  vault: Vault
  events: ResponseEvents
  /** Returns the address of the page of a participant. */
  pageUrl: PageUrl
  /** Called with the number of participants that retention has removed. */
  onExpired: (nb_removed: number) => void
}

/**
 * Mounts the figures of a quiz for its creator and for holders of a shared link, its participants and their retention.
 * Schedules retention and the lists of rare answers. Returns the reader of views, which exports use.
 */
export const registerStatistics = (
  app: FastifyInstance,
  { database, heavyWork, secretKey, log, vault, events, pageUrl, onExpired }: Dependencies,
): { readView: ReadView } => {
  const { db, heavyReads } = database
  const readView = createViewReader({ db, heavyReads, heavyWork })
  const background = createBackgroundCounts(heavyReads, { log, heavyWork })
  const counting = createViewCounter(db, background)
  mount(app, api.statistics, statisticsHandlers({ db, readView, background, counting }))
  mount(app, api.dryRuns, dryRunsHandlers({ db, readView, background, pageUrl }))
  mount(app, api.statisticsLinks, statisticsLinksHandlers({ db, secretKey }))
  mount(app, api.sharedStatistics, sharedStatisticsHandlers({ db, readView, counting, heavyWork }))
  mountAnalyses(app, { heavyReads, heavyWork })
  serveLive(app, { db, events })
  mount(app, api.participants, participantsHandlers({ db, vault, heavyWork }))
  mount(app, api.retention, retentionHandlers({ db }))
  const stopRetention = scheduleRetention(db, log, onExpired)
  const stopRareAnswers = scheduleRareAnswers(db, log)
  app.addHook('onClose', async () => {
    await Promise.all([background.close(), stopRetention(), stopRareAnswers()])
  })
  return { readView }
}
