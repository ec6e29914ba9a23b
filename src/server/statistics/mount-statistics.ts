import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { Database } from '#server/db/database.ts'
import { mount } from '#server/http/edge/mount.ts'
import { createBackgroundCounts } from './figures/background-counts.ts'
import { createViewCounter } from './figures/read-figures.ts'
import type { ReadView } from './figures/read-view.ts'
import { statisticsHandlers } from './statistics.routes.ts'
import { sharedStatisticsHandlers, statisticsLinksHandlers } from './statistics-links.routes.ts'

type Dependencies = {
  database: Database
  secretKey: string | Uint8Array
  log: FastifyBaseLogger
  readView: ReadView
}

/** Serves the figures of a quiz: contract/statistics.ts to its creator, contract/statistics-links.ts to whoever they share them with. */
export const mountStatistics = (
  app: FastifyInstance,
  { database, secretKey, log, readView }: Dependencies,
): void => {
  const { db } = database
  const background = createBackgroundCounts(database.openDedicatedPool, log)
  app.addHook('onClose', () => background.close())
  const counting = createViewCounter(background)
  mount(app, api.statistics, statisticsHandlers({ db, readView, background, counting }))
  mount(app, api.statisticsLinks, statisticsLinksHandlers({ db, secretKey }))
  mount(app, api.sharedStatistics, sharedStatisticsHandlers({ db, readView, counting }))
}
