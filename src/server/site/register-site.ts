import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config/config.ts'
import { serveDashboard } from '#server/http/pages/serve-dashboard.ts'
import { serveDocs, serveGuide } from './api-docs.routes.ts'
import { serveLegalPages } from './legal-pages.ts'

type Dependencies = {
  config: Pick<Config, 'hosted' | 'legal'>
  /** Folder of the built application; undefined for the default one. */
  dashboard_folder: string | undefined
}

/** Serves the creators' application, the legal pages and the documentation of the API. */
export const registerSite = (
  app: FastifyInstance,
  { config: { hosted, legal }, dashboard_folder: folder }: Dependencies,
): void => {
  serveDocs(app)
  serveGuide(app)
  serveLegalPages(app, legal)
  serveDashboard(app, { hosted, folder })
}
