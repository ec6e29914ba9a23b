import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import type { FastPath } from '#server/http/edge/fast-path.ts'
import type { PublishedVersions } from '#server/published-versions/register-published-versions.ts'
import type { Reports } from '#server/reports/create-reports.ts'
import type { Responses } from '#server/responses/register-responses.ts'
import type { MetricSource } from '#server/runtime/metric-source.ts'
import { createCachedResponses } from './cached-responses.ts'
import { registerCertificatePages } from './certificate-pages.ts'
import { registerNoscriptRuns } from './noscript-runs.ts'
import { registerOembed } from './oembed.routes.ts'
import { createPageCacheMetrics } from './page-cache.ts'
import { serveEmbedScript, serveFonts, servePlayerFiles } from './player-assets.ts'
import { createPageRefresh, createPublicPages, type PublicPages } from './public-pages.ts'
import { registerQuizPage } from './quiz-page.ts'
import { registerReportPages } from './report-pages.ts'
import { createTrialPage, registerTrialPages } from './trial-pages.ts'
import { registerVisits } from './visits.routes.ts'

type Dependencies = {
  config: Config
  log: FastifyBaseLogger
  published: PublishedVersions
  responses: Responses
  db: Db
  reports: Reports
  fast_path: FastPath
  heavyWork: HeavyWork
  /** Counts a result mail for its network; false refuses the mail. */
  admitMail: (network: string) => Promise<boolean>
  /** Returns the seconds that an address must wait before it may read a snapshot again. */
  snapshotWait: (address: string) => number
  addMetrics: (metrics: readonly MetricSource[]) => void
  /** False if the server serves its API alone and the player was not built. */
  has_pages: boolean
  /** Folder of the built player; undefined for the default one. */
  player_folder: URL | undefined
}

/** Hooks of the public pages for other features. */
export type PublicQuiz = {
  /** Makes this process serve a quiz that it has just changed, with its page built before the first visit. */
  onQuizChange: (quiz_id: string) => Promise<void>
  /** Pages of versions; undefined if the server serves its API alone. */
  pages: PublicPages | undefined
}

/** Serves everything below /q/{id}, the fonts and the embed script, and answers cached pages before the framework. */
export const registerPublicQuiz = (
  app: FastifyInstance,
  {
    config,
    log,
    published: { versions, slugs, versionReader },
    responses: { submissions, visits, trials },
    db,
    reports,
    fast_path,
    heavyWork,
    admitMail,
    snapshotWait,
    addMetrics,
    has_pages,
    player_folder,
  }: Dependencies,
): PublicQuiz => {
  const { public_url } = config
  registerVisits(app, { versionReader, visits, public_url })
  const pages = has_pages
    ? createPublicPages({ versionReader, heavyWork, public_url, player_folder })
    : undefined
  addMetrics(createPageCacheMetrics(pages))
  if (!pages) return { pages, onQuizChange: async (quiz_id) => versions.forget(quiz_id) }
  const answerTrial = createTrialPage({ trials, versionReader, pages, public_url })
  registerQuizPage(app, { versionReader, pages, answerTrial })
  registerNoscriptRuns(app, {
    versionReader,
    submissions,
    admitMail,
    pages,
    visits,
    public_url,
    links: reports.links,
  })
  registerReportPages(app, { db, reports })
  registerCertificatePages(app, { db })
  registerTrialPages(app, { trials, versionReader, pages, visits, public_url })
  serveFonts(app)
  serveEmbedScript(app, { public_url, player_folder })
  registerOembed(app, { versionReader, slugs, public_url })
  servePlayerFiles(app, player_folder)
  fast_path.open(
    createCachedResponses({ versions, slugs, pages, versionReader, config, snapshotWait }),
  )
  return { pages, onQuizChange: createPageRefresh({ versions, pages, log }) }
}
