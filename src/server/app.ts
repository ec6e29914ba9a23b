import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { registerAccount } from './account/account.routes.ts'
import { registerAdmin } from './admin/admin.routes.ts'
import { registerAudit } from './audit/audit.ts'
import { createPhones } from './auth/phones/create-phones.ts'
import { createAuthService } from './auth/register-auth.ts'
import { signInByWallet } from './auth/web3/sign-in-by-wallet.ts'
import { registerAutomations } from './automations/automations.routes.ts'
import { registerInvitationPages } from './campaigns/invitation-pages.ts'
import { createInvitedRuns, registerInvitedRuns } from './campaigns/invited-runs.ts'
import type { Config } from './config/config.ts'
import { registerCrashes } from './crashes/crashes.routes.ts'
import type { Database } from './db/database.ts'
import { registerDeliveries } from './deliveries/register-deliveries.ts'
import { registerErasures } from './erasures/erasures.routes.ts'
import type { ErrorReports } from './error-reports/error-reports.ts'
import { registerEvidence } from './evidence/evidence.routes.ts'
import { registerExports } from './exports/exports.routes.ts'
import { registerFieldMappings } from './field-mappings/field-mappings.routes.ts'
import { registerFolders } from './folders/folders.routes.ts'
import { createHeavyWork } from './heavy-work/heavy-work.ts'
import { createHttpApp } from './http/create-http-app.ts'
import { registerImages } from './images/images.routes.ts'
import { registerIntegrations } from './integrations/register-integrations.ts'
import { registerMailSenders } from './mail-senders/mail-senders.routes.ts'
import { readMailFrom } from './mails/transport.ts'
import { registerParticipantPages } from './participant-pages/participant-pages.routes.ts'
import { registerProgress } from './progress/progress.routes.ts'
import { answerUnknownAddress } from './public-quiz/page-reply.ts'
import { registerPublicQuiz } from './public-quiz/register-public-quiz.ts'
import { registerPublishedVersions } from './published-versions/register-published-versions.ts'
import { registerQuizFiles } from './quiz-files/quiz-files.routes.ts'
import { createMailAdmission } from './quiz-mails/mail-limits.store.ts'
import { createFreezeDraft } from './quizzes/freeze-in-thread.ts'
import { registerQuizzes } from './quizzes/register-quizzes.ts'
import { createReports } from './reports/create-reports.ts'
import { registerResponses } from './responses/register-responses.ts'
import { createTextParser } from './rich-texts/text-parser.ts'
import { registerSite } from './site/register-site.ts'
import { registerStatistics } from './statistics/register-statistics.ts'
import { registerTrialRuns } from './trial-runs/trial-runs.routes.ts'

type Dependencies = {
  config: Config
  database: Database
  secretKey: string | Uint8Array
  log: FastifyBaseLogger
  /** Counts of logged errors and their reports, and the last errors. */
  error_reports?: Pick<ErrorReports, 'metrics' | 'recentErrors'>
  /** False if only the API is served and nothing was built. */
  has_pages?: boolean
  /** Folders of the built browser files; undefined for those in dist. */
  folders?: { player: URL; dashboard: string; maps?: URL }
}

/** Pool for deletions of hundreds of thousands of participants, each of which is one long statement. */
const REMOVAL_POOL = { name: 'removals', max_connections: 2, timeout_ms: 600_000 }

/** Creates the whole server from its features. The caller makes it listen. */
export const createApp = async ({
  config,
  database,
  secretKey,
  log,
  error_reports,
  has_pages = true,
  folders,
}: Dependencies): Promise<FastifyInstance> => {
  const { db, pool } = database
  const { public_url, image_quota: quota, version_quota } = config
  const deps = { config, database, db, pool, secretKey, log }

  // Hooks run in the order in which they are added, and only for routes mounted later: first the HTTP layer, then
  // audit, which watches all routes. Slugs become ids before the limits, which count by quiz. Features
  // follow, and each needs only what features above it return.
  const { app, fast_path, tracing, addMetrics, limitCalls } = await createHttpApp({
    ...deps,
    has_pages,
    answerUnknownAuthRoute: (request, reply) => auth.answerUnknownRoute(request, reply),
    answerUnknownVisitor: answerUnknownAddress,
  })
  const auditLog = registerAudit(app, deps)
  const heavyWork = createHeavyWork()
  app.addHook('onClose', heavyWork.close)
  addMetrics([...heavyWork.metrics, ...(error_reports?.metrics ?? [])])
  const published = registerPublishedVersions(app, database, createTextParser(heavyWork))
  const auth = createAuthService({ ...deps, plugins: authPlugins(config, log) })
  const snapshotWait = limitCalls(auth)
  auth.register(app)

  const { versionReader, slugs, versions, compiled } = published
  const admitMail = createMailAdmission(db, config.result_mails_per_network)
  const reports = createReports({ db, compiled, secretKey, public_url, heavyWork })
  const responses = registerResponses(app, {
    ...deps,
    versionReader,
    admitMail,
    addMetrics,
    reports,
  })
  const { events, trials } = responses
  const { onQuizChange, pages } = registerPublicQuiz(app, {
    config,
    db,
    log,
    published,
    responses,
    reports,
    heavyWork,
    fast_path,
    admitMail,
    snapshotWait,
    addMetrics,
    has_pages,
    player_folder: folders?.player,
  })
  const { db: patient_db, close: closeRemovals } = database.openDedicatedPool(REMOVAL_POOL)
  app.addHook('onClose', closeRemovals)
  registerImages(app, { db, quota, log, heavyWork })
  registerFolders(app, { db })
  registerMailSenders(app, {
    db,
    replyCodes: auth.replyCodes,
    mail_from: readMailFrom(config.mail_from),
  })
  registerCrashes(app, { log, maps_folder: folders?.maps })
  registerQuizzes(app, {
    db,
    patient_db,
    heavyWork,
    log,
    version_quota,
    onExpired: async (quiz_id) => {
      await auditLog.note('quiz_deleted', { object_id: quiz_id, detail: 'trash_expired' })
      await onQuizChange(quiz_id)
    },
    freeze: createFreezeDraft(heavyWork),
    has_mail_server: config.smtp_url !== undefined,
    onChange: onQuizChange,
    forgetSlug: slugs.forget,
  })
  registerQuizFiles(app, { db, quota, heavyWork, has_mail_server: config.smtp_url !== undefined })

  const integrations = registerIntegrations(app, deps)
  const { vault, revocationOf } = integrations
  registerAutomations(app, { db, config, integrations })
  const { removeAccount } = registerAccount(app, {
    db,
    patient_db,
    heavyWork,
    onDeleted: versions.forget,
    revocationOf,
  })
  const { tools, wake, unsubscribe_links } = registerDeliveries(app, {
    ...deps,
    integrations,
    compiled,
    reports,
    tracing,
  })
  const runs = createInvitedRuns({
    db,
    secretKey,
    submissions: responses.submissions,
    announce: events.announce,
  })
  const invited = { versionReader, admitMail, links: reports.links, runs }
  registerInvitedRuns(app, invited)
  if (pages) {
    const { submissions, visits } = responses
    const shared = { db, pages, submissions, visits, public_url, unsubscribe_links }
    registerInvitationPages(app, { ...invited, ...shared })
  }
  registerFieldMappings(app, { db, config, integrations, tools })
  registerErasures(app, { db, wake })
  registerAdmin(app, {
    ...deps,
    accounts: auth.accounts,
    removeAccount,
    recentErrors: error_reports?.recentErrors ?? (() => []),
  })
  registerTrialRuns(app, { db, versionReader, compiled, trials, tools, public_url })
  const { readView } = registerStatistics(app, {
    database,
    heavyWork,
    secretKey,
    log,
    vault,
    events,
    pageUrl: reports.pageUrl,
    onExpired: (nb_removed) => auditLog.note('responses_expired', { detail: String(nb_removed) }),
  })
  registerExports(app, { ...deps, readView, reports, heavyWork, compiled })
  registerProgress(app, { ...database, secretKey, heavyWork })
  registerEvidence(app, { ...database, secretKey, heavyWork, reports, log })
  if (pages)
    registerParticipantPages(app, {
      db,
      compiled,
      vault,
      links: reports.links,
      pages,
      public_url,
      wake,
      has_rate_limits: config.rate_limits,
    })
  if (has_pages) registerSite(app, { config, dashboard_folder: folders?.dashboard })
  return app
}

/** Returns the ways to sign in that the configuration switches on. */
const authPlugins = (config: Config, log: FastifyBaseLogger) => ({
  ...createPhones(config, log),
  ...(config.auth.web3_chains.length > 0 && { signInByWallet }),
})
