import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config/config.ts'
import { serveDashboard } from '#server/http/pages/serve-dashboard.ts'
import { serveDocs, serveGuide } from './api-docs.routes.ts'
import { serveHelp } from './help/help.routes.ts'
import { serveLegalPages } from './legal-pages.ts'
import { modelPaths, serveModels } from './models/models.routes.ts'
import { serveSitemap } from './sitemap.ts'

type Dependencies = {
  config: Pick<Config, 'hosted' | 'legal' | 'public_url'>
  /** Folder of the built application; undefined for the default one. */
  dashboard_folder: string | undefined
}

/** Serves the creators' application, the help, the gallery of templates, the legal pages and the documentation of the API. */
export const registerSite = (
  app: FastifyInstance,
  { config: { hosted, legal, public_url }, dashboard_folder: folder }: Dependencies,
): void => {
  serveDocs(app)
  serveGuide(app)
  serveLegalPages(app, legal)
  const help = serveHelp(app, public_url)
  serveModels(app, public_url)
  serveSitemap(app, { public_url, paths: () => [...help.paths(), ...modelPaths()] })
  serveDashboard(app, { hosted, folder })
}
